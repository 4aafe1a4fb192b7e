// SPDX-License-Identifier: Apache-2.0

/// The sounds that an alarm offers.
package enum AlarmSound: Hashable, Sendable {
  /// Suzu's own: a bell that goes on for a while.
  case alarm
  /// Suzu's own, once.
  case bell
  /// The usual one of the desktop.
  case standard
  case silent
  /// Another one, which the request had already.
  case other(String)

  /// The sound in a request; without one, the server decides.
  package init(_ text: String?) {
    switch text {
    case "suzu-alarm": self = .alarm
    case "suzu-bell": self = .bell
    case nil, "default": self = .standard
    case "none": self = .silent
    case let text?: self = .other(text)
    }
  }

  package var text: String? {
    switch self {
    case .alarm: "suzu-alarm"
    case .bell: "suzu-bell"
    case .standard: "default"
    case .silent: "none"
    case .other(let text): text
    }
  }

  package var label: String {
    switch self {
    case .alarm: "Alarm"
    case .bell: "Bell"
    case .standard: "The desktop's"
    case .silent: "None"
    case .other(let text): ShownText.line(text, atMost: 60)
    }
  }

  /// Those to choose from, with the present one.
  package static func choices(with present: AlarmSound) -> [AlarmSound] {
    let usual: [AlarmSound] = [.alarm, .bell, .standard, .silent]
    return usual.contains(present) ? usual : usual + [present]
  }
}
