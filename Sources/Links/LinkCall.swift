// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// A call of a server that a message asks for as a button. It is one only if the link allows its host.
package struct LinkCall: Hashable, Sendable {
  /// The text of the button.
  package let title: String
  /// The server.
  package let host: CallHost
  /// The call, without placeholders.
  package private(set) var call: HTTPCall

  /// The most buttons of a message.
  static let most = 3

  /// An action `http` of a message of ntfy; nil if it cannot be called as it is.
  init?(_ words: [String: PlainValue]) {
    func text(_ key: String) -> String? { if case .text(let text)? = words[key], !text.isEmpty { text } else { nil } }
    guard let title = text("label"), title.utf8.count <= 255, let url = LinkMessage.page(text("url")),
      let method = HTTPCall.Method(rawValue: (text("method") ?? "POST").uppercased())
    else { return nil }
    var call = HTTPCall(url, method: method)
    if case .dictionary(let headers)? = words["headers"] {
      for (name, value) in headers {
        guard case .text(let text) = value else { return nil }
        call.headers[name] = text
      }
    }
    if method != .get { call.body = text("body").map { .text(Template.escaped($0)) } }
    // The checks of a request: its host, its headers and its length.
    guard let host = CallHost(of: call.url), (try? call.plain.decode(as: HTTPCall.self)) == call else { return nil }
    (self.title, self.host, self.call) = (title, host, call)
  }
}

extension LinkCall {
  /// The same, for as long as a link allows its host.
  func under(_ link: LinkName) -> LinkCall {
    var bound = self
    bound.call.link = link.text
    return bound
  }
}

/// A server that may be called: `HOST`, or `HOST:PORT` for another port than that of HTTPS.
package struct CallHost: Hashable, Sendable {
  /// In lower case.
  package let text: String

  /// Reads a host as a user writes it.
  package init(_ text: String) throws(RequestError) {
    guard let address = try? ServerAddress("https://" + text), address.text == "https://" + text else {
      throw RequestError("", "must be a host such as 'home.example.com' or 'home.example.com:8443'")
    }
    self.init(authority: text)
  }

  /// The host of a URL; nil if it has none.
  package init?(of url: String) {
    guard let start = url.firstRange(of: "://") else { return nil }
    let authority = url[start.upperBound...].prefix { !"/?#".contains($0) }
    guard (try? ServerAddress(String(url[..<start.upperBound]) + authority)) != nil else { return nil }
    self.init(authority: String(authority))
  }

  private init(authority: String) {
    let lower = authority.lowercased()
    text = lower.hasSuffix(":443") ? String(lower.dropLast(4)) : lower
  }
}
