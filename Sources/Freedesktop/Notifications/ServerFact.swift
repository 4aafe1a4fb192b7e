// SPDX-License-Identifier: Apache-2.0

/// One observation about a notification server: which versions behave so, what was seen, and what follows from it.
public struct ServerFact: Sendable {
  /// The name that the server reports.
  public let name: String
  /// The first version that behaves so; nil if every earlier one does, or none was tried.
  public let from: ServerVersion?
  /// The first later version that does not; nil if none is known.
  public let until: ServerVersion?
  /// What was seen, and in which versions.
  public let reason: String
  /// What follows for the center; nothing if it does the same on every server.
  let apply: @Sendable (inout KnownServer) -> Void

  init(
    _ name: String, from: ServerVersion? = nil, until: ServerVersion? = nil, _ reason: String,
    _ apply: @escaping @Sendable (inout KnownServer) -> Void = { _ in }
  ) {
    self.name = name
    self.from = from
    self.until = until
    self.reason = reason
    self.apply = apply
  }

  /// Whether a version is in the range. A version that cannot be read is taken for the newest.
  public func holds(of version: ServerVersion?) -> Bool {
    guard let version else { return until == nil }
    return from.map { version >= $0 } ?? true && until.map { version < $0 } ?? true
  }
}
