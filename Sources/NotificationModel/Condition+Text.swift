// SPDX-License-Identifier: Apache-2.0

extension Condition: CustomStringConvertible {
  /// The line that ``init(_:)`` reads: `leave wifi Home for 5m`.
  public var text: String {
    (edge == .enter ? "" : edge.rawValue + " ") + subject.text + (hold.map { " for \($0.text)" } ?? "")
  }

  /// The line.
  public var description: String { text }
}

extension Condition.Subject {
  /// The subject in the line of a condition.
  public var text: String {
    switch self {
    case .wifi(let name): "wifi \(name.asWord)"
    case .network(let name): "network \(name.asWord)"
    // Without quotes, one with a comma might be read as latitude and longitude.
    case .place(.named(let name)): "place \(name.utf8.contains(UInt8(ascii: ",")) ? name.inQuotes : name.asWord)"
    case .place(.circle(let latitude, let longitude, let radius)):
      "place \(latitude.plain),\(longitude.plain) \(radius.plain)m"
    case .beacon(let beacon):
      ["beacon", beacon.uuid, beacon.major.map(String.init), beacon.minor.map(String.init)].compactMap(\.self)
        .joined(separator: " ")
    case .battery(.below(let percent)): "battery < \(percent)%"
    case .battery(.above(let percent)): "battery > \(percent)%"
    case .power: "power"
    case .unlocked: "unlocked"
    case .idle(let duration): "idle \(duration.text)"
    case .awake: "awake"
    case .unit(let unit): (unit.isOfSystem ? "system " : "") + "unit \(unit.name.asWord) \(unit.state.rawValue)"
    case .file(let path): "file \(path.asWord)"
    case .fileChange(let path): "file \(path.asWord) changes"
    case .device(let property, let value): "device \((property + "=" + value).asWord)"
    case .signal(let pattern): pattern.text
    }
  }
}

extension Condition.SignalPattern {
  fileprivate var text: String {
    var words = (isOfSystem ? ["system"] : []) + ["signal", "\(interface).\(member)"]
    if let sender { words += ["from", sender.asWord] }
    if let path { words += ["at", path.asWord] }
    words += arguments.sorted { $0.key < $1.key }.map { "arg\($0.key)=\($0.value)".asWord }
    return words.joined(separator: " ")
  }
}

extension String {
  /// The text as one word of a line, in quotes if it needs them.
  fileprivate var asWord: String {
    let plain = unicodeScalars.allSatisfy {
      $0.value > 32 && $0.value != 127 && !$0.properties.isWhitespace && $0 != "'" && $0 != "\"" && $0 != "\\"
    }
    return plain && !isEmpty && !ConditionWords.reserved.contains(self) ? self : inQuotes
  }

  fileprivate var inQuotes: String {
    if !utf8.contains(UInt8(ascii: "'")) { return "'\(self)'" }
    var text = "\""
    for scalar in unicodeScalars {
      if scalar == "\\" || scalar == "\"" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}

extension Double {
  /// `52.52`, and `200` instead of `200.0`.
  fileprivate var plain: String { self == rounded() && abs(self) < 1e9 ? String(Int64(self)) : String(self) }
}
