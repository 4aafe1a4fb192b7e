// SPDX-License-Identifier: Apache-2.0

/// The escape sequence that makes a terminal show a notification.
enum NotificationSequence: String, CaseIterable {
  /// [kitty's](https://sw.kovidgoyal.net/kitty/desktop-notifications/): a title and a body, and, where the terminal
  /// says so, urgency, buttons and answers.
  case osc99
  /// rxvt-unicode's: a title and a body.
  case osc777
  /// iTerm2's: a line of text.
  case osc9

  /// The name in documentation.
  var name: String {
    switch self {
    case .osc99: "OSC 99"
    case .osc777: "OSC 777"
    case .osc9: "OSC 9"
    }
  }
}
