// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Opens URLs with `xdg-open`.
enum URLOpener {
  /// The path of the program; nil if it is not installed.
  static var program: URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.lazy.filter { $0.hasPrefix("/") }
      .map { URL(fileURLWithPath: String($0)).appendingPathComponent("xdg-open") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Whether a URL may be given to the program: that of Apple's settings means nothing here.
  static func mayOpen(_ url: URL) -> Bool {
    url.scheme.map { !UIApplication.openSettingsURLString.hasPrefix($0 + ":") } ?? false
  }

  /// Starts the program, and tells whether it could open the URL; returns whether it was started.
  static func open(_ url: URL, _ tell: @escaping @Sendable (Bool) -> Void) -> Bool {
    guard mayOpen(url), let program else { return false }
    let process = Process()
    process.executableURL = program
    process.arguments = [url.absoluteString]
    process.terminationHandler = { tell($0.terminationStatus == 0) }
    return (try? process.run()) != nil
  }
}
