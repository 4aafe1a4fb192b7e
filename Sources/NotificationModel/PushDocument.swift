// SPDX-License-Identifier: Apache-2.0

/// A payload as a text: what a push service sends, or a file for `xcrun simctl push`, which may name its app. It knows
/// the position of each key, for errors.
package struct PushDocument: Sendable {
  /// The payload, without the name of the app.
  package let payload: PushPayload
  /// The app that the file names; nil if it names none.
  package let app: AppID?
  private let text: String

  /// The key of Apple's simulator for the app.
  package static let appKey = "Simulator Target Bundle"
  /// The longest text, in bytes. A file for people has blanks, which do not count for ``PushPayload/longest``.
  package static let longest = 64 << 10

  /// Parses and checks a text.
  package init(_ bytes: [UInt8]) throws(DocumentError) {
    guard bytes.count <= Self.longest else {
      throw DocumentError("has \(bytes.count) bytes; a payload has at most \(PushPayload.longest), blanks not counted")
    }
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard let text = String(validating: bytes, as: UTF8.self) else { throw PlainDocument.notText(bytes) }
    guard bytes.contains(where: { !PropertyListReader.isBlank($0) }) else { throw DocumentError("is empty") }
    self.text = text
    let value = try JSONReader.read(text, deepest: PushPayload.deepestNesting, omittingNull: true)
    guard case .dictionary(var words) = value else { throw DocumentError("a payload must be a dictionary: { … }") }
    do throws(RequestError) {
      app = try Self.app(words.removeValue(forKey: Self.appKey))
      payload = try PushPayload(words)
    } catch {
      throw DocumentError(at: Self.place(of: error, in: text), error.description)
    }
  }

  private static func app(_ value: PlainValue?) throws(RequestError) -> AppID? {
    guard let value else { return nil }
    guard case .text(let name) = value else { throw RequestError(appKey, "must be a string: the id of an app") }
    do throws(RequestError) { return try AppID(name) } catch { throw error.about(appKey) }
  }

  /// The position of an error's value, or of the container that lacks it.
  package func place(of error: RequestError) -> DocumentPlace? { Self.place(of: error, in: text) }

  private static func place(of error: RequestError, in text: String) -> DocumentPlace? {
    error.key.isEmpty ? nil : JSONReader.place(of: error, in: text, omittingNull: true)
  }
}
