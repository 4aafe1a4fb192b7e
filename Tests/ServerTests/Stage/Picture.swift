// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Pictures for people, in the folder that SUZU_PICTURES names.
enum Picture {
  /// That of our own list.
  static let list = "What *More…* opens"

  /// What a picture's file is called.
  static func fileName(_ title: String) -> String { title == list ? "more.png" : title + ".png" }

  /// Where it is written to; nil where nobody wants any, or there is nothing to be seen.
  static func file(_ title: String) -> String? {
    guard title == list || servers.contains(where: { $0.name == title }) else { return nil }
    return ProcessInfo.processInfo.environment["SUZU_PICTURES"].map { $0 + "/" + fileName(title) }
  }
}

extension Desktop {
  /// Writes a picture of a popup, once it stays as it is: some grow, or fade in.
  func photograph(_ title: String, to file: String) throws {
    var last: Data?
    try wait(for: "picture that stays as it is") {
      try server.photograph([try popup(title)], to: file, on: self)
      let picture = try Data(contentsOf: URL(filePath: file))
      defer { last = picture }
      return picture == last ? () : nil
    }
  }
}
