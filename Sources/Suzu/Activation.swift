// SPDX-License-Identifier: Apache-2.0

/// A call to a running app, or the reason why the bus started it, other than a response: see
/// ``NotifyingApp/whenActivated(_:)``.
public struct Activation: Hashable, Sendable {
  /// What the app is asked to do.
  public enum Kind: Hashable, Sendable {
    /// To show itself.
    case show
    /// To open URLs.
    case open([String])
    /// To carry out one of the actions of its desktop entry.
    case action(String)
  }

  /// What the app is asked to do.
  public let kind: Kind
  /// The token that lets the app raise its window; nil if the desktop gave none.
  public let activationToken: String?

  /// Creates an activation, for tests.
  public init(_ kind: Kind, activationToken: String? = nil) {
    self.kind = kind
    self.activationToken = activationToken
  }
}
