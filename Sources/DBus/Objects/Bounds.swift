// SPDX-License-Identifier: Apache-2.0

/// The maximum size of a call's arguments, checked in the message: a larger call is refused before any of it is
/// converted.
public struct Bounds: Hashable, Sendable {
  /// The size in the message in bytes, without padding.
  public var bytes: Int
  /// The error name of the refusal.
  public var refusal: ErrorName
  /// How many bytes ``CallPacing`` adds to the size of each call, because the method takes longer than its arguments
  /// suggest.
  public var work: Int

  /// Creates bounds.
  public init(bytes: Int, refusal: ErrorName = .limitsExceeded, work: Int = 0) {
    self.bytes = bytes
    self.refusal = refusal
    self.work = work
  }

  /// The maximum that every bus passes.
  public static let message = Bounds(bytes: WireWriter.longestMessage)

  func check(_ size: Int, of member: MemberName) throws(RemoteError) {
    guard size > bytes else { return }
    throw RemoteError(refusal, "the arguments of '\(member)' are longer than \(bytes) bytes; send less in one call")
  }
}

extension IncomingCall {
  /// Refuses a call whose arguments are longer than `bounds`, for a caller with a lower limit than others.
  public func check(_ bounds: Bounds) throws(RemoteError) { try bounds.check(size, of: member) }
}
