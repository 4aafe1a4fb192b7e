// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// What an event is about: the first choice of its sentence.
package enum EventSource: Int, CaseIterable, Sendable {
  case power, battery, wifi, network, place, beacon, unlocked, idle, awake, file, unit, device, signal

  package var label: String {
    switch self {
    case .power: "The charger"
    case .battery: "The battery"
    case .wifi: "The Wi-Fi"
    case .network: "The network"
    case .place: "The place"
    case .beacon: "The beacon"
    case .unlocked: "The screen"
    case .idle: "The machine, by its input"
    case .awake: "The machine, by its sleep"
    case .file: "The file"
    case .unit: "The unit of systemd"
    case .device: "The device"
    case .signal: "The signal of D-Bus"
    }
  }

  /// What has to be said of it, as an example; nil if there is only one.
  package var example: String? {
    switch self {
    case .power, .unlocked, .awake: nil
    case .battery: "20"
    case .wifi: "Home"
    case .network: "Work VPN"
    case .place: "52.52,13.405 200m"
    case .beacon: "F7826DA6-4FA2-4E98-8024-BC5B71E0893E 1 2"
    case .idle: "10m"
    case .file: "/home/ada/done"
    case .unit: "backup.service"
    case .device: "ID_VENDOR=Yubico"
    case .signal: "org.example.Printer.Done"
    }
  }

  /// What may happen to it.
  package var states: [String] {
    switch self {
    case .power: ["is plugged in", "is unplugged", "is plugged in or unplugged"]
    case .battery: ["falls below (percent)", "rises above (percent)"]
    case .wifi: ["is connected", "is left", "is connected or left"]
    case .network: ["is connected", "is disconnected", "is connected or disconnected"]
    case .place: ["is reached", "is left", "is reached or left"]
    case .beacon: ["is near", "is gone", "is near or gone"]
    case .unlocked: ["is unlocked", "is locked", "is unlocked or locked"]
    case .idle: ["had no input for", "is used again after"]
    case .awake: ["wakes up"]
    case .file: ["appears", "disappears", "is written"]
    case .unit: ["fails", "starts", "has stopped"]
    case .device: ["is plugged in", "is unplugged", "is plugged in or unplugged"]
    case .signal: ["comes"]
    }
  }

  /// Whether its states may last for a while.
  package var lasts: Bool { self != .awake && self != .signal }

  /// The change of the state that this one of ``states`` is.
  func edge(_ state: Int) -> Condition.Edge {
    switch self {
    case .battery, .awake, .unit, .signal: .enter
    case .file where state == 2: .enter
    default: [.enter, .leave, .change][min(max(state, 0), 2)]
    }
  }

  func subject(_ what: String, _ state: Int) throws(RequestError) -> Condition.Subject {
    switch self {
    case .power: return .power
    case .unlocked: return .unlocked
    case .awake: return .awake
    case .battery:
      let digits = what.last == "%" ? what.dropLast() : what[...]
      guard let percent = Int(digits.filter { $0 != " " }), 0...100 ~= percent else {
        throw RequestError("on", "must be a number from 0 to 100")
      }
      return .battery(state == 0 ? .below(percent) : .above(percent))
    case .wifi: return .wifi(what)
    case .network: return .network(what)
    case .place:
      // As the command reads it: a name never looks like coordinates.
      return Condition.looksLikePosition(what) ? try Self.subject(of: "place \(what)") : .place(.named(what))
    case .beacon: return try Self.subject(of: "beacon \(what)")
    case .idle: return .idle(try Duration.parse(what))
    case .file: return state == 2 ? .fileChange(what) : .file(what)
    case .unit:
      let states: [Condition.Unit.State] = [.failed, .active, .inactive]
      return .unit(.init(name: what, state: states[min(max(state, 0), 2)], isOfSystem: false))
    case .device:
      guard let sign = what.firstIndex(of: "=") else {
        throw RequestError("on", "must be a property of udev such as 'ID_VENDOR=Yubico'")
      }
      return .device(property: String(what[..<sign]), value: String(what[what.index(after: sign)...]))
    case .signal: return try Condition("signal \(what)").subject
    }
  }

  private static func subject(of text: String) throws(RequestError) -> Condition.Subject {
    let condition = try Condition(text)
    guard condition.hold == nil else {
      throw RequestError("on", "must not say for how long; that has a line of its own")
    }
    return condition.subject
  }

  /// The choices that a condition stands for; nil for one that the sentence cannot say.
  static func choices(of condition: Condition) -> (source: EventSource, what: String, state: Int)? {
    let edge = Condition.Edge.allCases.firstIndex(of: condition.edge) ?? 0
    switch condition.subject {
    case .power: return (.power, "", edge)
    case .unlocked: return (.unlocked, "", edge)
    case .awake: return (.awake, "", 0)
    case .wifi(let name): return (.wifi, name, edge)
    case .network(let name): return (.network, name, edge)
    case .place(.named(let name)): return (.place, name, edge)
    case .place(.circle): return (.place, String(condition.subject.text.dropFirst("place ".count)), edge)
    case .beacon: return (.beacon, String(condition.subject.text.dropFirst("beacon ".count)), edge)
    case .battery(.below(let percent)) where edge == 0: return (.battery, "\(percent)", 0)
    case .battery(.above(let percent)) where edge == 0: return (.battery, "\(percent)", 1)
    case .idle(let duration) where edge < 2: return (.idle, duration.text, edge)
    case .file(let path) where edge < 2: return (.file, path, edge)
    case .fileChange(let path): return (.file, path, 2)
    case .unit(let unit) where edge == 0 && !unit.isOfSystem:
      return (.unit, unit.name, [.failed, .active, .inactive].firstIndex(of: unit.state) ?? 0)
    case .device(let property, let value): return (.device, "\(property)=\(value)", edge)
    case .signal where condition.subject.text.hasPrefix("signal "):
      return (.signal, String(condition.subject.text.dropFirst(7)), 0)
    default: return nil
    }
  }
}
