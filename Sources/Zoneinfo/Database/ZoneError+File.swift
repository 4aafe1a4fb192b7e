// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

extension ZoneError {
  /// The error for a file that cannot be read.
  init(_ path: String, _ error: FileError) {
    switch error {
    case .system(let system): self.init(system.meansNoFile ? .notFound : .unreadable, path, "\(system)")
    case .notRegular: self.init(.unreadable, path, "\(error)")
    case .tooLarge: self.init(.damaged, path, "\(error)")
    }
  }
}
