// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop

/// How long the center waits for other programs. One value, so that tests can wait less.
struct Timeouts: Sendable {
  /// For answers of the notification server.
  var server = NotificationServerClient.Limits()
  var pauses = Pauses()
  /// How long a call at the start waits for the server to say who it is: before, what it shows is not known.
  var introduction: Duration = .seconds(1)
  /// How long a program behind a button may run.
  var handler: Duration = .seconds(30)
  /// How long such a program has to exit before it is killed.
  var handlerGrace: Duration = .seconds(5)

  /// How long an action waits for a locked session.
  var unlock: Duration = .seconds(3600)
  /// How long an app's handler may take.
  var completion: Duration = .seconds(30)
  /// How long an app in front may take to say how to show a request.
  var presenting: Duration = .seconds(2)
  /// How long a push waits for the app that changes it, and for its start. The app has eleven twelfths of that.
  var changing: Duration = .seconds(36)
  /// How long a response waits for a handler of its app.
  var app: Duration = .seconds(24 * 3600)
  /// How long after a dismissal the click that caused it may arrive.
  var lateAction: Duration = .seconds(1)

  /// How long the center waits at its end for the server's answers. Session managers kill it after some seconds.
  var lastAnswers: Duration = .seconds(1)

  /// The pauses between attempts to reach the notification server or the store, and before the center closes what has
  /// expired, and of the user.
  struct Pauses: Sendable {
    /// After a refusal. Plasma refuses the same text for one second.
    var first: Duration = .milliseconds(1100)
    /// Each pause is twice the one before, up to this.
    var longest: Duration = .seconds(30)
    /// How much longer than its `expires` a notification may stay that the server may never close.
    var expiry: Duration = .seconds(1)
    /// The same for a notification that the server should close by itself. The pointer over it delays that.
    var expiryOnServer: Duration = .seconds(10)
    /// How long servers with little room show a banner that has no `expires`, at most.
    var banner: Duration = .seconds(12)
    /// Without input, until the user counts as away; zero if that does not count.
    var idle: Duration = .seconds(300)
    /// The first pause before recording the beginning of an action is tried again; each is twice the one before.
    var record: Duration = .milliseconds(100)
    /// The last of these pauses.
    var longestRecord: Duration = .milliseconds(1600)
    /// The time between two probes of a server that does not answer.
    var probe: Duration = .seconds(30)
  }

  static let usual = Timeouts()
}
