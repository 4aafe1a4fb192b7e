// SPDX-License-Identifier: Apache-2.0

/// A message, independent of the transport that brought it.
package struct LinkMessage: Hashable, Sendable {
  /// The id of the message, by which duplicates are recognized.
  package let id: String
  /// The id that later messages may replace or take back; nil if only this message has it.
  package var sequence: String?
  package var title: String?
  package var text: String
  /// 1 to 5; 3 is the usual one.
  package var priority = 3
  package var tags: [String] = []
  /// The page that a click opens: one of the web.
  package var url: String?
  /// The calls of servers that it asks for.
  package var calls: [LinkCall] = []
  /// The pictures that it names.
  package var pictures: [LinkPicture] = []
  /// Where its answer goes; nil if desktops cannot know that it is the same message.
  package var answerPlace: String?
  /// When it expires, in Unix seconds.
  package var expires: Int64?

  package init(_ id: String, text: String) { (self.id, self.text) = (id, text) }

  /// The limits for messages of all transports.
  static let mostTags = 16
  static let longestTag = 32

  /// Only pages of the web: a message from outside opens no file, and calls no other program.
  static func page(_ url: String?) -> String? {
    guard let url, url.utf8.count <= 2048, url.utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else { return nil }
    let start = url.prefix(8).lowercased()
    let isPage = start.hasPrefix("https://") && url.utf8.count > 8 || start.hasPrefix("http://") && url.utf8.count > 7
    // In a request, braces are placeholders.
    return isPage ? url.replacing("{", with: "%7B").replacing("}", with: "%7D") : nil
  }
}
