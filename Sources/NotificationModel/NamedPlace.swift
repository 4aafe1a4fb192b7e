// SPDX-License-Identifier: Apache-2.0

/// A circle on the earth that the user has named, for `on: place office`.
public struct NamedPlace: Hashable, Sendable {
  /// How the user calls it.
  public let name: String
  /// In degrees.
  public let latitude: Double
  /// In degrees.
  public let longitude: Double
  /// In metres.
  public let radius: Double

  /// Creates a place, and checks it.
  public init(_ name: String, latitude: Double, longitude: Double, radius: Double) throws(RequestError) {
    try Self.check(name: name)
    guard abs(latitude) <= 90, abs(longitude) <= 180 else {
      throw RequestError("", "needs a latitude from -90 to 90 and a longitude from -180 to 180 degrees")
    }
    guard 1...1_000_000 ~= radius else { throw RequestError("", "needs a radius from 1m to 1000km") }
    self.name = name
    self.latitude = latitude
    self.longitude = longitude
    self.radius = radius
  }

  /// The most places that a user may name.
  public static let most = 1000

  /// Checks that the name can stand in a condition, and does not look like coordinates when the quotes are forgotten.
  public static func check(name: String) throws(RequestError) {
    let subject = Condition.Subject.place(.named(name))
    guard name.utf8.count <= 255, !Condition.looksLikePosition(name),
      let read = try? Condition(Condition(trusted: subject).text), read.subject == subject
    else {
      throw RequestError("", "needs a name such as 'office', not \(name.asLine(longest: 60).quoted)")
    }
  }
}

extension NamedPlace {
  /// Reads a place from its dictionary: `name`, `latitude`, `longitude`, `radius`.
  public init(_ words: [String: PlainValue]) throws(RequestError) {
    guard case .text(let name)? = words["name"] else { throw RequestError("name", "must be a string") }
    try self.init(
      name, latitude: try Self.number(words, "latitude"), longitude: try Self.number(words, "longitude"),
      radius: try Self.number(words, "radius"))
  }

  private static func number(_ words: [String: PlainValue], _ key: String) throws(RequestError) -> Double {
    switch words[key] {
    case .number(let number): return number
    case .integer(let integer): return Double(integer)
    default: throw RequestError(key, "must be a number")
    }
  }

  /// The place as a dictionary.
  public var plain: [String: PlainValue] {
    ["name": .text(name), "latitude": .number(latitude), "longitude": .number(longitude), "radius": .number(radius)]
  }
}
