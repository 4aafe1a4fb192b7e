// SPDX-License-Identifier: Apache-2.0

/// What the arguments of one call may bring, judged on the message: a call beyond it is refused before any of it becomes
/// a value.
public struct Bounds: Hashable, Sendable {
  /// The bytes that they take in the message, but for what aligns them.
  public var bytes: Int
  /// The name of the refusal.
  public var refusal: ErrorName

  /// At most so many bytes.
  public init(bytes: Int, refusal: ErrorName = .limitsExceeded) {
    self.bytes = bytes
    self.refusal = refusal
  }

  /// What every bus passes.
  public static let message = Bounds(bytes: WireWriter.longestMessage)

  func check(_ size: Int, of member: MemberName) throws(RemoteError) {
    guard size > bytes else { return }
    throw RemoteError(refusal, "the arguments of '\(member)' are longer than \(bytes) bytes; send less in one call")
  }
}

extension IncomingCall {
  /// Refuses a call whose arguments are longer than `bounds`, for a caller that may send less than others.
  public func check(_ bounds: Bounds) throws(RemoteError) { try bounds.check(size, of: member) }
}
