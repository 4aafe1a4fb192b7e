// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Pictures for people, in the folder that SUZU_PICTURES names.
enum Picture {
  /// That of our own list.
  static let list = "What *More…* opens"

  /// What a picture's file is called.
  static func fileName(_ title: String) -> String { title == list ? "more.png" : title + ".png" }

  /// Where it is written to; nil where nobody wants any.
  static func file(_ title: String) -> String? {
    ProcessInfo.processInfo.environment["SUZU_PICTURES"].map { $0 + "/" + fileName(title) }
  }
}
