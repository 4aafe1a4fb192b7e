// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

/// How much one call may bring, in bytes of its arguments and in elements. `docs/LIMITS.md` has the same as a table.
extension Bounds {
  /// Names, numbers and flags.
  static let names = center(4 << 10)
  static let request = center(CenterInterface.longestRequest)
  static let requests = center(64 << 20)
  static let categories = center(8 << 20)
  static let ids = center(32 << 20)
  /// A reply of the longest kind and the names beside it, in options that may hold more one day.
  static let reply = center(128 << 10)
  static let completion = center(64 << 10)

  private static func center(_ bytes: Int) -> Bounds {
    Bounds(bytes: bytes, refusal: RefusalCode.limitExceeded.errorName)
  }
}

/// What sandboxed programs may send in one call: less than others.
extension Rights {
  private static let requests = bounds(4 << 20)
  private static let categories = bounds(1 << 20)
  private static let ids = bounds(64 << 10)

  private static func bounds(_ bytes: Int) -> Bounds {
    Bounds(bytes: bytes, refusal: RefusalCode.limitExceeded.errorName)
  }

  /// Before anything of a list of requests is read.
  func checkRequests(of call: IncomingCall) throws { try check(call, Self.requests) }

  /// Before anything of a list of categories is read.
  func checkCategories(of call: IncomingCall) throws { try check(call, Self.categories) }

  /// Before anything of a list of ids is read.
  func checkIDs(of call: IncomingCall) throws { try check(call, Self.ids) }

  private func check(_ call: IncomingCall, _ bounds: Bounds) throws {
    try checkIsKnown()
    if self != .all { try call.check(bounds) }
  }

  /// The most requests of one `NotifyMany`.
  var mostRequests: Int { self == .all ? CenterInterface.mostRequests : Self.mostAtOnce }
}

extension CenterInterface {
  /// The longest request, in bytes on the wire.
  static let longestRequest = 256 << 10
  /// The most requests of one `NotifyMany`.
  static let mostRequests = 100_000
  /// The most ids of one `Cancel` or `Dismiss`.
  static let mostIDs = 100_000

  static func appAndIDs(_ call: IncomingCall, of rights: Rights) throws -> (app: String, ids: [String]) {
    try rights.checkIDs(of: call)
    // Counted in the message: two million of them would be two million strings.
    guard call.count(of: 1, upTo: mostIDs) <= mostIDs else {
      throw CenterError(
        .limitExceeded, "more than \(mostIDs) ids; send them in several calls, or none for all of the app")
    }
    guard case .string(let app) = call.arguments[0], let ids = call.arguments[1].strings else { throw mismatch }
    try rights.check(app)
    return (app, ids)
  }

  static func checkReply(_ reply: String?) throws(CenterError) {
    guard let reply, reply.utf8.count > Reply.longest else { return }
    throw CenterError(
      .limitExceeded, "'reply' has \(reply.utf8.count) bytes of UTF-8; at most \(Reply.longest) are taken")
  }
}
