// SPDX-License-Identifier: Apache-2.0

/// How a server's answer other than a stream of messages is taken.
package struct ServerAnswer: Hashable, Sendable {
  /// What happened, and what to do about it.
  package let problem: String
  /// Whether another attempt alone may help.
  package let isTemporary: Bool
  /// Whether the user lacks a right.
  package let isDenial: Bool
  /// How long the server wants the link to wait.
  package let pause: Duration?

  /// The longest time that a server can make a link wait.
  package static let longestPause: Duration = .seconds(3600)

  /// - Parameters:
  ///   - status: the status of HTTP.
  ///   - retryAfter: what the server says, in seconds.
  package init(status: Int, retryAfter: Int64?, hasSecret: Bool) {
    pause = retryAfter.flatMap { $0 > 0 ? min(.seconds($0), Self.longestPause) : nil }
    isDenial = [401, 403].contains(status)
    isTemporary = status == 408 || status == 425 || status == 429 || status >= 500
    problem =
      switch status {
      case 200..<300: "the server ended the connection"
      case 300..<400:
        "the server redirects to another address (HTTP \(status)), which a link does not follow; give that address"
      case 401, 403:
        hasSecret
          ? "the server denies access (HTTP \(status)); check the token, or the user and the password, of the link"
          : "the server denies access (HTTP \(status)); give the link a token, or a user and a password"
      case 404: "the server has no such topic (HTTP 404); check the address of the server"
      case 429: "the server gets too many requests (HTTP 429)"
      case 500...: "the server is in trouble (HTTP \(status))"
      default: "the server refuses the request (HTTP \(status))"
      }
  }
}
