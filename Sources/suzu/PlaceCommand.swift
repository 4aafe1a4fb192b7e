// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

extension Verb {
  static let place = Verb(
    name: "place", synopsis: "[list|add|remove] [NAME] [here|LATITUDE,LONGITUDE] [RADIUS]",
    summary: "name places, for requests that wait until you get there",
    flags: [Flag("json", nil, "print an array of objects with 'name', 'latitude', 'longitude', 'radius'")],
    words: [.words(["list", "add", "remove"]), .nothing],
    notes: [
      "Without a radius, it is 200m. A radius below the accuracy of the position cannot be observed.",
      "Names and positions stay on this machine, and sandboxed apps cannot read them.",
    ],
    examples: [
      "suzu place add office 52.5200,13.4050 200m",
      "suzu place add home here 300m",
      "suzu place remove office",
    ]
  ) { arguments, loop in
    let words = arguments.words
    switch words.first ?? "list" {
    case "list":
      if words.count > 1 { throw CommandError.usage("unexpected argument '\(words[1])'") }
      try await PlaceCommand.list(isJSON: arguments.has("json"), on: loop)
    case "add": try await PlaceCommand.add(Array(words.dropFirst()), on: loop)
    case "remove": try await PlaceCommand.remove(Array(words.dropFirst()), on: loop)
    default:
      let near = suggestion(for: words[0], among: ["list", "add", "remove"])
      throw CommandError.usage("'\(words[0])' is not one of list, add and remove\(near)")
    }
    return EX_OK
  }
}

/// `suzu place`: shows and changes the places that the user has named.
enum PlaceCommand {
  private static let usualRadius = "200m"

  static func list(isJSON: Bool, on loop: EventLoop) async throws {
    let places = try await Center.connect(on: loop).places()
    if isJSON {
      return Console.print("[" + places.map { PlainValue.dictionary($0.plain).json }.joined(separator: ",\n ") + "]")
    }
    guard !places.isEmpty else {
      if Console.hasReader { Console.remark("no place has a name; see 'suzu place --help'") }
      return
    }
    let rows = places.map { [PrintableText.line($0.name, atMost: 200), "\($0.latitude),\($0.longitude)", radius($0)] }
    let columns = [
      Table.Column("NAME", least: 8, rank: 0), Table.Column("POSITION", least: 12, rank: 1),
      Table.Column("RADIUS", least: 6, rank: 2),
    ]
    Console.print(Table(columns, rows: rows, width: Console.columns).text(rows, .output))
  }

  private static func radius(_ place: NamedPlace) -> String {
    place.radius == place.radius.rounded() ? "\(Int(place.radius))m" : "\(place.radius)m"
  }

  static func add(_ words: [String], on loop: EventLoop) async throws {
    guard words.count > 1 else { throw CommandError.usage("give a name, and 'here' or LATITUDE,LONGITUDE") }
    guard words.count <= 3 else { throw CommandError.usage("unexpected argument '\(words[3])'") }
    let radius = words.count > 2 ? words[2] : usualRadius
    do throws(RequestError) { try NamedPlace.check(name: words[0]) } catch {
      throw CommandError.data("'\(PrintableText.line(words[0], atMost: 60))' cannot be the name of a place")
    }
    // The shell splits `52.5 13.4` into two words.
    if words.count == 3, Double(words[1]) != nil, Double(words[2]) != nil {
      throw CommandError.data("latitude and longitude are one word with a comma: \(words[1]),\(words[2])")
    }
    let isHere = words[1] == "here"
    // The condition has the checks.
    let subject: Condition.Subject
    do throws(RequestError) {
      subject = try Condition("place \(isHere ? "0,0" : words[1]) \(radius)").subject
    } catch {
      // The column and the example are those of a condition, which was not typed here.
      throw CommandError.data("the place " + error.problem.replacing(#/ \(column \d+\)(; for example .*)?/#, with: ""))
    }
    guard case .place(.circle(var latitude, var longitude, let metres)) = subject else {
      throw CommandError.data("'\(PrintableText.line(words[1], atMost: 60))' is not 'here' or LATITUDE,LONGITUDE")
    }
    let center = try await Center.connect(on: loop)
    if isHere {
      let position = try await center.position()
      guard position.accuracy <= metres else {
        let accuracy = Position(
          latitude: position.latitude, longitude: position.longitude, accuracy: position.accuracy
        ).wholeAccuracy
        throw CommandError.unavailable(
          "the position is accurate to \(accuracy) m only; give a radius of at least \(accuracy)m, or "
            + "LATITUDE,LONGITUDE")
      }
      (latitude, longitude) = (position.latitude, position.longitude)
    }
    let place = try NamedPlace(words[0], latitude: latitude, longitude: longitude, radius: metres)
    try await center.setPlaces(try await center.places().filter { $0.name != place.name } + [place])
  }

  static func remove(_ words: [String], on loop: EventLoop) async throws {
    guard let name = words.first else { throw CommandError.usage("a name is missing") }
    if words.count > 1 { throw CommandError.usage("unexpected argument '\(words[1])'") }
    let center = try await Center.connect(on: loop)
    let places = try await center.places()
    guard places.contains(where: { $0.name == name }) else {
      let near = suggestion(for: name, among: places.map(\.name))
      throw CommandError(
        message: "no place has the name '\(PrintableText.line(name, atMost: 60))'\(near)", status: EX_DATAERR)
    }
    try await center.setPlaces(places.filter { $0.name != name })
  }
}
