// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The listings of the command, decoded.
extension Session {
  static func json(_ text: String) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  /// The rows of a listing, which must print no error.
  func listed(_ verb: String = "list", _ flags: String...) throws -> [[String: Any]] {
    let ended = try suzu([verb, "--json"] + flags)
    #expect(ended.status == 0 && ended.errors == "", "\(ended.errors)")
    return try Self.json(ended.output)
  }

  static func ids(_ rows: [[String: Any]]) -> [String] { rows.compactMap { $0["id"] as? String } }
}
