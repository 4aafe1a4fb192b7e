// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop

/// How long the center waits for others. One value, so that tests need not wait as long.
struct Timeouts: Sendable {
  /// With the notification server's answers.
  var server = NotificationServerClient.Limits()
  var pauses = Pauses()
  /// How long a program behind a button may take.
  var handler: Duration = .seconds(30)
  /// How long it then has between being asked to end and being ended.
  var handlerGrace: Duration = .seconds(5)
  /// The first pause before it is tried again to record that an action begins; each is twice the one before.
  var recordPause: Duration = .milliseconds(100)
  /// The last of these pauses.
  var longestRecordPause: Duration = .milliseconds(1600)

  /// How long a locked session may keep an action waiting.
  var unlock: Duration = .seconds(3600)
  /// How long an app's handler may take.
  var completion: Duration = .seconds(30)
  /// How long an app in front may think about what is due.
  var presenting: Duration = .seconds(2)
  /// How long a response waits for its app to come.
  var app: Duration = .seconds(24 * 3600)
  /// How long after a notification was put away the click may come that did it.
  var lateAction: Duration = .seconds(1)

  /// How long the center's end waits for the server's answers. Session managers have patience for seconds.
  var lastAnswers: Duration = .seconds(1)

  /// Between attempts to reach the notification server.
  struct Pauses: Sendable {
    /// After a refusal; Plasma refuses the same text for one second.
    var first: Duration = .milliseconds(1100)
    /// Each pause is twice the one before, up to this.
    var longest: Duration = .seconds(30)
    /// How often a server that does not answer is asked whether it is there again.
    var probe: Duration = .seconds(30)
  }

  /// As in real life.
  static let usual = Timeouts()
}
