// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// Why the launcher could not do something.
package struct LauncherError: Error, Hashable {
  package enum Code: Hashable, Sendable {
    /// An action, named by its key, cannot be used.
    case action
    /// A file is not valid.
    case invalidFile(DocumentError)
    /// A file cannot be read.
    case unreadable
    /// A file or folder cannot be written.
    case unwritable
    /// The environment names no folder for settings.
    case noFolder
  }

  package let code: Code
  /// The key of the action, or the path of the file; other programs may have chosen it.
  package let subject: String
  /// What is wrong with it, to be put behind it.
  package let problem: String

  package init(_ code: Code, _ subject: String, _ problem: String) {
    (self.code, self.subject, self.problem) = (code, subject, problem)
  }

  init(_ error: UnwritableFolder) { self.init(.unwritable, error.path, error.reason) }
}
