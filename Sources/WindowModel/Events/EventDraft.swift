// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// A request that waits for a condition, as a sentence that is built by choosing. It is an ordinary request of the
/// command's app; other keys of one that is changed are kept.
package struct EventDraft: Hashable, Sendable {
  /// Where an error is shown.
  package enum Field: Hashable, Sendable { case what, place, hold, title, body }

  /// What is wrong, at its field; without one, it is about the whole request.
  package struct Problem: Error, Hashable, Sendable {
    package let field: Field?
    package let text: String

    package init(field: Field?, text: String) { (self.field, self.text) = (field, text) }
  }

  package var source = EventSource.power {
    didSet {
      if source != oldValue { (what, placeName, state) = ("", "", 0) }
      // They do not last.
      if !source.lasts { hold = "" }
    }
  }
  /// The name of the network, the path of the file …
  package var what = ""
  /// The name that coordinates get, for other events; empty if they get none.
  package var placeName = ""
  /// The index in ``EventSource/states``.
  package var state = 0
  /// How long it must last; empty if it need not.
  package var hold = ""
  package var title = ""
  package var body = ""
  /// Whether it comes each time.
  package var repeats = true
  /// Its id; nil as long as it is not stored.
  package private(set) var id: String?
  private var stored: [String: PlainValue] = [:]

  package init() {}

  /// Returns nil for a request that is no such sentence.
  package init?(_ row: ListedRequest) {
    guard row.app == NotificationRequest.defaultApp, row.state == .pending, let text = row.text(of: "on"),
      text.utf8.count <= 1000, let condition = try? Condition(text),
      let choices = EventSource.choices(of: condition)
    else { return nil }
    source = choices.source
    (what, state) = (choices.what, choices.state)
    hold = condition.hold?.text ?? ""
    title = row.title
    body = row.text(of: "body") ?? ""
    repeats = row.words["repeat"] == .flag(true)
    id = row.id
    stored = ListingKey.request(in: row.words)
  }

  /// The condition; nil as long as something of it has not been said.
  package func condition() throws(Problem) -> Condition? {
    let what = Self.trimmed(what)
    if source.example != nil, what.isEmpty { return nil }
    var duration: Duration?
    let hold = Self.trimmed(hold)
    if !hold.isEmpty {
      do throws(RequestError) { duration = try Duration.parse(hold) } catch {
        throw Problem(field: .hold, text: "It \(error.problem)")
      }
    }
    do throws(RequestError) {
      return try Condition(try source.subject(what, state), source.edge(state), for: duration)
    } catch {
      throw Problem(field: error.problem.contains("'for'") ? .hold : .what, text: "It \(error.problem)")
    }
  }

  /// Whether it is about a place that is named by its coordinates.
  package var isPosition: Bool { source == .place && Condition.looksLikePosition(Self.trimmed(what)) }

  /// The place to store before the request, which then names it; nil if there is none.
  ///
  /// - Parameter known: the places that there are, whose names are taken.
  package func newPlace(among known: [NamedPlace]) throws(Problem) -> NamedPlace? {
    let name = Self.trimmed(placeName)
    guard isPosition, !name.isEmpty,
      case .place(.circle(let latitude, let longitude, let radius))? =
        try condition()?.subject
    else { return nil }
    if known.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      throw Problem(field: .place, text: "There is a place with this name; choose it above")
    }
    do throws(RequestError) {
      return try NamedPlace(name, latitude: latitude, longitude: longitude, radius: radius)
    } catch {
      throw Problem(field: .place, text: "It \(error.problem)")
    }
  }

  /// `When the charger is unplugged, each time: “Plug it in”`; nil as long as something has not been said.
  package func sentence() throws(Problem) -> String? {
    guard let condition = try condition() else { return nil }
    let shown = title.contains { !$0.isWhitespace } ? ": “\(ShownText.isolated(title, atMost: 80))”" : ""
    return "When \(ConditionText.words(condition)), \(repeats ? "each time" : "once")\(shown)"
  }

  /// The keys of the request, checked as far as can be done here.
  package func words() throws(Problem) -> [String: PlainValue] {
    guard let condition = try condition() else {
      throw Problem(field: .what, text: "Say which one, for example: \(source.example ?? "")")
    }
    guard title.contains(where: { !$0.isWhitespace }) else { throw Problem(field: .title, text: "Give it a title") }
    var words = stored
    words["title"] = .text(title)
    words["on"] = .text(condition.text)
    words["body"] = body.isEmpty ? nil : .text(body)
    words["repeat"] = repeats ? .flag(true) : nil
    // They apply to a repetition only.
    if !repeats { for key in ["cooldown", "count"] { words[key] = nil } }
    // It has no meaning for an event.
    if condition.subject.isEvent { words["now"] = nil }
    if let id { words["id"] = .text(id) }
    do throws(RequestError) { _ = try NotificationRequest(words) } catch { throw problem(error.description) }
    return words
  }

  /// The same with this place in place of its coordinates.
  package func words(at place: NamedPlace?) throws(Problem) -> [String: PlainValue] {
    var draft = self
    if let place { draft.what = place.name }
    return try draft.words()
  }

  /// An error of the center at the field whose key it names.
  package func problem(_ message: String) -> Problem {
    for (key, field) in [("title", Field.title), ("body", .body), ("on", .what)] where message.hasPrefix("'\(key)'") {
      let rest = message.dropFirst(key.count + 2).drop { $0 == ":" || $0 == " " }
      return Problem(field: field, text: "It \(rest)")
    }
    return Problem(field: nil, text: (message.first?.uppercased() ?? "") + message.dropFirst())
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
