// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Pictures for the report, in the folder named by SUZU_PICTURES.
enum Picture {
  /// The title of the picture of our own list.
  static let list = "What *More…* opens"

  /// The file name of a picture.
  static func fileName(_ title: String) -> String { title == list ? "more.png" : title + ".png" }

  /// The path of a picture; nil if none is wanted or nothing is visible.
  static func file(_ title: String) -> String? {
    guard title == list || servers.contains(where: { $0.name == title }) else { return nil }
    return ProcessInfo.processInfo.environment["SUZU_PICTURES"].map { $0 + "/" + fileName(title) }
  }
}

extension Desktop {
  /// Takes a picture of a popup once it no longer changes: some grow or fade in.
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
