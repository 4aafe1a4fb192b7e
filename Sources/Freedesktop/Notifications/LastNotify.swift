// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// The last call of `Notify`. A request that waits for its condition again and again mostly has the same notification
/// again; only the number that it replaces is another one. To write that number takes 200 instructions, to write the
/// whole message 14,000.
struct LastNotify {
  private let notification: ServerNotification
  private let server: BusName
  /// Nil while it is being sent, so that the bytes have one owner, who changes them in place.
  private var call: WrittenCall?

  /// More than texts alone have: an image is not kept.
  private static let longest = 4096

  /// Takes the call out, if it is for this notification. Texts that are the same object are not compared.
  mutating func take(for notification: ServerNotification, to server: BusName) -> WrittenCall? {
    guard self.server == server, self.notification == notification else { return nil }
    defer { call = nil }
    return call
  }

  /// Keeps a call that was sent.
  static func keep(
    _ call: WrittenCall, of notification: ServerNotification, to server: BusName, in last: inout LastNotify?
  ) {
    if last != nil, last?.call == nil {
      last?.call = call
    } else {
      last = call.count <= longest ? LastNotify(notification: notification, server: server, call: call) : nil
    }
  }
}
