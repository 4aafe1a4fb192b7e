// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// A call of a server that the action of a response makes. The center has checked it, and so does this.
package struct OutgoingCall: Hashable, Sendable {
  package let url: String
  /// The server in ``url``.
  package let server: ServerAddress
  package let method: String
  /// `Name: value`.
  package let headers: [String]
  package let body: String?
  /// The link that must allow ``host``; nil for a call that the user has set up.
  package let link: String?
  package let host: CallHost

  /// The call of a center; nil if it lacks something, or if its server is none that may be called: it has TLS, or is on
  /// this machine.
  package init?(_ words: [String: PlainValue]) {
    func text(_ key: String) -> String? { if case .text(let text)? = words[key] { text } else { nil } }
    guard let url = text("url"), url.utf8.allSatisfy({ $0 > 32 && $0 != 127 }),
      let start = url.firstRange(of: "://"), let method = text("method").flatMap(HTTPCall.Method.init)
    else { return nil }
    let authority = url[start.upperBound...].prefix { !"/?#".contains($0) }
    guard let server = try? ServerAddress(String(url[..<start.upperBound]) + authority), let host = CallHost(of: url)
    else { return nil }
    var headers: [String] = []
    if case .list(let values)? = words["headers"] {
      for value in values {
        guard case .text(let header) = value, header.utf8.allSatisfy({ $0 > 31 && $0 < 127 }) else { return nil }
        headers.append(header)
      }
    }
    (self.url, self.server, self.method, self.headers, body) = (url, server, method.rawValue, headers, text("body"))
    (link, self.host) = (text("link"), host)
  }
}

/// How the call of a server has ended, in words that quote nothing of it.
package enum CallAnswer: Hashable, Sendable {
  case done
  case failed(String)

  /// - Parameter status: the status of HTTP.
  package init(status: Int) {
    switch status {
    case 200..<300: self = .done
    case 300..<400: self = .failed("the server redirects to another address (HTTP \(status)), which is not followed")
    case 401, 403: self = .failed("the server denies access (HTTP \(status))")
    case 404: self = .failed("the server has no such address (HTTP 404)")
    default: self = .failed("the server answered with HTTP \(status)")
    }
  }
}
