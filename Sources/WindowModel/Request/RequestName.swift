// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// The app and the id of a request, which identify it.
package struct RequestName: Hashable, Sendable {
  package let app: String
  package let id: String

  package init(app: String, id: String) {
    self.app = app
    self.id = id
  }

  package init(_ row: ListedRequest) { self.init(app: row.app, id: row.id) }

  // Strings are equal if they look the same; ids are compared by their bytes.
  package static func == (left: Self, right: Self) -> Bool {
    left.app.utf8.elementsEqual(right.app.utf8) && left.id.utf8.elementsEqual(right.id.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for text in [app, id] {
      for byte in text.utf8 { hasher.combine(byte) }
      hasher.combine(UInt8(0))
    }
  }
}

extension ListedRequest {
  /// A text of the request; nil if it has none with this key.
  package func text(of key: String) -> String? { if case .text(let text)? = words[key] { text } else { nil } }
}
