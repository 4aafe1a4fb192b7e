// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

/// How much one call may carry, in bytes of its arguments and in elements. `docs/LIMITS.md` has the same limits as a
/// table.
extension Bounds {
  /// Names, numbers and flags.
  static let names = center(4 << 10)
  /// The longest path of the kernel, and options.
  static let path = center(8 << 10)
  static let request = center(CenterInterface.longestRequest)
  static let requests = center(64 << 20)
  /// A payload, which has eight times the bytes of its JSON if it is a list of digits, and options.
  static let push = center(64 << 10)
  static let categories = center(4 << 20)
  static let ids = center(32 << 20)
  /// The longest reply and its names, with room for options that a later version may add.
  ///
  /// A response is committed alone, before anything else happens in the turn.
  static let reply = center(128 << 10, work: 48 << 10)
  static let completion = center(64 << 10)

  private static func center(_ bytes: Int, work: Int = 0) -> Bounds {
    Bounds(bytes: bytes, refusal: RefusalCode.limitExceeded.errorName, work: work)
  }
}

/// The lower limits for calls of sandboxed programs.
extension Rights {
  private static let requests = bounds(4 << 20)
  private static let categories = bounds(1 << 20)
  private static let ids = bounds(64 << 10)

  private static func bounds(_ bytes: Int) -> Bounds {
    Bounds(bytes: bytes, refusal: RefusalCode.limitExceeded.errorName)
  }

  /// Checks a list of requests before any of it is read.
  func checkRequests(of call: IncomingCall) throws { try check(call, Self.requests) }

  /// Checks a list of categories before any of it is read.
  func checkCategories(of call: IncomingCall) throws { try check(call, Self.categories) }

  /// Checks a list of ids before any of it is read.
  func checkIDs(of call: IncomingCall) throws { try check(call, Self.ids) }

  private func check(_ call: IncomingCall, _ bounds: Bounds) throws {
    try checkIsKnown()
    if self != .all { try call.check(bounds) }
  }

  /// The most requests of one `NotifyMany`.
  var mostRequests: Int { self == .all ? CenterInterface.mostRequests : Self.mostAtOnce }
  /// The most categories of one app.
  var mostCategories: Int { self == .all ? Categories.mostOfAnApp : Self.mostOfABox }
}

extension CenterInterface {
  /// The longest request, in bytes on the wire.
  static let longestRequest = 256 << 10
  /// The longest category, in bytes on the wire.
  static let longestCategory = 256 << 10
  /// The most requests of one `NotifyMany`.
  static let mostRequests = 100_000
  /// The most ids of one `Cancel`, `Dismiss` or `Acknowledge`.
  static let mostIDs = 100_000

  /// Reads the arguments of `Cancel`, `Dismiss` and `Acknowledge`.
  static func read(
    _ app: Unread<String>, _ ids: Unread<[String]>, of call: IncomingCall, _ rights: Rights
  ) throws -> (app: String, ids: [String]) {
    try rights.checkIDs(of: call)
    // Counted in the message, because two million ids would otherwise become two million strings.
    guard ids.count(upTo: mostIDs) <= mostIDs else {
      throw CenterError(
        .limitExceeded, "more than \(mostIDs) ids; send them in several calls, or none for all of the app")
    }
    let (app, ids) = (try app.read(), try ids.read())
    try rights.check(app)
    return (app, ids)
  }

  static func checkReply(_ reply: String?) throws(CenterError) {
    guard let reply, reply.utf8.count > Reply.longest else { return }
    throw CenterError(
      .limitExceeded, "'reply' has \(reply.utf8.count) bytes of UTF-8; at most \(Reply.longest) are taken")
  }
}
