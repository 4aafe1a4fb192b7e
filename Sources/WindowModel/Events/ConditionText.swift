// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// A condition in words: `the charger is plugged in`, `the Wi-Fi Home is left, and stays so for 5m`.
package enum ConditionText {
  package static func words(_ condition: Condition) -> String {
    let (subject, enter, leave) = parts(of: condition.subject)
    let verb =
      switch condition.edge {
      case .enter: enter
      case .leave: leave
      case .change: "\(enter) or \(leave)"
      }
    return "\(subject) \(verb)" + (condition.hold.map { ", and stays so for \($0.text)" } ?? "")
  }

  /// The condition of a request; one that this program does not know is shown as it is written.
  package static func words(_ text: String) -> String {
    // Far longer than real ones, and it would take long to read.
    guard text.utf8.count <= 1000, let condition = try? Condition(text) else {
      return ShownText.isolated(text, atMost: 80)
    }
    return words(condition)
  }

  private static func parts(of subject: Condition.Subject) -> (subject: String, enter: String, leave: String) {
    func name(_ text: String) -> String { ShownText.isolated(text, atMost: 80) }
    switch subject {
    case .wifi(let ssid): return ("the Wi-Fi \(name(ssid))", "is connected", "is left")
    case .network(let network): return ("the network \(name(network))", "is connected", "is disconnected")
    case .place(.named(let place)): return ("the place \(name(place))", "is reached", "is left")
    case .place(.circle(let latitude, let longitude, let radius)):
      return ("the place \(latitude), \(longitude) (\(Int(radius)) m)", "is reached", "is left")
    case .beacon(let beacon): return ("the beacon \(beacon.uuid)", "is near", "is gone")
    case .battery(.below(let percent)):
      return ("the battery", "falls below \(percent) %", "is no longer below \(percent) %")
    case .battery(.above(let percent)):
      return ("the battery", "rises above \(percent) %", "is no longer above \(percent) %")
    case .power: return ("the charger", "is plugged in", "is unplugged")
    case .unlocked: return ("the screen", "is unlocked", "is locked")
    case .idle(let duration): return ("the machine", "had no input for \(duration.text)", "is used again")
    case .awake: return ("the machine", "wakes up", "wakes up")
    case .unit(let unit):
      let verbs: (String, String) =
        switch unit.state {
        case .failed: ("fails", "is no longer failed")
        case .active: ("starts", "ends")
        case .inactive: ("has stopped", "no longer stands still")
        }
      return ("the \(unit.isOfSystem ? "system unit" : "unit") \(name(unit.name))", verbs.0, verbs.1)
    case .file(let path): return ("the file \(name(path))", "appears", "disappears")
    case .fileChange(let path): return ("the file \(name(path))", "is written", "is written")
    case .device(let property, let value):
      return ("a device with \(name("\(property)=\(value)"))", "is plugged in", "is unplugged")
    case .signal(let pattern): return ("the signal \(name("\(pattern.interface).\(pattern.member)"))", "comes", "comes")
    }
  }
}
