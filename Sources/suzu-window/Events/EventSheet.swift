// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import CenterClient
internal import NotificationModel
internal import WindowModel

/// The sheet for a new event, or for one that is changed: a sentence that is built by choosing.
@MainLoop final class EventSheet {
  private var draft: EventDraft
  private let link: CenterLink
  private let sentence = Label("", lines: 0).styled("heading")
  // Set by the initializer, and never again: what happens in them calls this object.
  private var place: Choice!
  private var placeSetting: Setting!  // Likewise.
  private var whatField: Field!  // Likewise.
  private var here: Button!  // Likewise.
  private var placeField: Field!  // Likewise.
  private var state: Choice!  // Likewise.
  private var holdField: Field!  // Likewise.
  private var titleField: Field!  // Likewise.
  private var bodyField: Field!  // Likewise.
  private(set) var sheet: Sheet!  // Likewise.
  private var isSending = false
  /// The places that the user has named.
  private var places: [NamedPlace] = []

  init(_ draft: EventDraft, _ link: CenterLink, over parent: Widget) {
    (self.draft, self.link) = (draft, link)
    let isNew = draft.id == nil
    // Room for two lines, because the sheet does not grow with them.
    sentence.reserve(height: 44)
    let source = Choice(EventSource.allCases.map(\.label), named: "When", chosen: draft.source.rawValue) {
      [unowned self] index in choose(EventSource(rawValue: index) ?? .power)
    }
    place = Choice([Self.elsewhere], named: "Which place", chosen: 0) { [unowned self] index in choose(place: index) }
    placeSetting = Setting("Which place", place)
    whatField = Field("Which one", hint: "Its name, or a value") { [unowned self] text in
      self.draft.what = text
      placeField?.isVisible = self.draft.isPosition
      changed()
    }
    here = Button("_Here") { [unowned self] in findPosition() }
    gtk_widget_set_halign(here.widget, GTK_ALIGN_START)
    placeField = Field("Name of the place", hint: "Optional; other events can then choose it") {
      [unowned self] text in
      self.draft.placeName = text
      placeField.problem = nil
    }
    state = Choice(draft.source.states, named: "What happens", chosen: draft.state) { [unowned self] index in
      self.draft.state = index
      changed()
    }
    holdField = Field("And stays so for", hint: "Optional; a length such as 5m") { [unowned self] text in
      self.draft.hold = text
      changed()
    }
    holdField.example = "5m"
    titleField = Field("Title") { [unowned self] text in
      self.draft.title = text
      changed()
    }
    bodyField = Field("Text", hint: "Optional") { [unowned self] text in
      self.draft.body = text
      bodyField.problem = nil
    }
    let each = Switch(named: "Each time", isOn: draft.repeats) { [unowned self] isOn in
      self.draft.repeats = isOn
      changed()
    }
    let when = SettingGroup("When", [Setting("Source", source), placeSetting, Setting("What happens", state)])
    let content = Box(
      .column, spacing: 15,
      [
        sentence, when, whatField, here.styled("pill"), placeField, holdField, titleField, bodyField,
        SettingGroup("How often", [Setting("Each time", each)]),
      ])
    sheet = Sheet(
      isNew ? "New event" : "Change event", over: parent, content, owner: self, confirm: isNew ? "_Add" : "_Change",
      width: 480
    ) { [unowned self] in send() }
    for (field, text) in [
      (whatField, draft.what), (holdField, draft.hold), (titleField, draft.title), (bodyField, draft.body),
    ] { field?.text = text }
    arrange()
    changed()
    source.focus()
    Task { await readPlaces() }
  }

  // MARK: Places

  private static let elsewhere = "Somewhere else"

  private func readPlaces() async {
    // Without them, coordinates can be entered.
    guard let places = try? await link.places() else { return }
    self.places = places
    // Another place than those that there are may be written in the request.
    let chosen = places.firstIndex { $0.name.utf8.elementsEqual(draft.what.utf8) } ?? places.count
    place.set(places.map { ShownText.line($0.name, atMost: 60) } + [Self.elsewhere], chosen: chosen)
    if draft.source == .place, draft.what.isEmpty, !places.isEmpty { place.show(0) }
    arrange()
    if draft.source == .place, draft.what.isEmpty, !places.isEmpty { choose(place: 0) }
  }

  private func choose(place index: Int) {
    whatField.text = places.indices.contains(index) ? places[index].name : ""
    arrange()
  }

  /// Whether the place is one of those that have a name.
  private var isNamedPlace: Bool {
    draft.source == .place && places.contains { $0.name.utf8.elementsEqual(draft.what.utf8) }
  }

  /// Stores a new place, which the request then names.
  private func add(_ place: NamedPlace) async throws(SuzuError) {
    try await link.add(place)
    places.append(place)
    self.place.set(places.map { ShownText.line($0.name, atMost: 60) } + [Self.elsewhere], chosen: places.count - 1)
    choose(place: places.count - 1)
  }

  private func findPosition() {
    here.isSensitive = false
    whatField.problem = nil
    Task {
      do throws(SuzuError) {
        let position = try await link.position()
        if draft.source == .place { whatField.text = PositionText.circle(position) }
      } catch {
        whatField.problem = draft.problem(error.message).text
      }
      here.isSensitive = true
    }
  }

  // MARK: Changing

  private func choose(_ source: EventSource) {
    draft.source = source
    state.set(source.states, chosen: draft.state)
    whatField.text = draft.what
    if source == .place, !places.isEmpty {
      place.show(0)
      choose(place: 0)
    }
    arrange()
    changed()
  }

  private func arrange() {
    let isPlace = draft.source == .place
    placeSetting.isVisible = isPlace && !places.isEmpty
    here.isVisible = isPlace && !isNamedPlace
    placeField.isVisible = draft.isPosition
    whatField.isVisible = draft.source.example != nil && !isNamedPlace
    whatField.example = draft.source.example ?? ""
    holdField.isVisible = draft.source.lasts
    if !draft.source.lasts { holdField.text = "" }
  }

  private func changed() {
    do throws(EventDraft.Problem) {
      sentence.text = try draft.sentence() ?? "Say which one"
      say(nil)
    } catch {
      sentence.text = ""
      say(error)
    }
    sentence.spoken(sentence.text)
  }

  private func say(_ problem: EventDraft.Problem?) {
    for (field, place) in [
      (whatField, EventDraft.Field.what), (placeField, .place), (holdField, .hold), (titleField, .title),
      (bodyField, .body),
    ] { field?.problem = problem?.field == place ? problem?.text : nil }
    sheet.say(problem.flatMap { $0.field == nil ? $0.text : nil })
  }

  private func send() {
    if isSending { return }
    do throws(EventDraft.Problem) {
      let place = try draft.newPlace(among: places)
      let words = try draft.words(at: place)
      isSending = true
      sheet.isReady = false
      Task {
        do throws(SuzuError) {
          if let place { try await add(place) }
          try await link.notify(words)
          sheet.close()
        } catch {
          say(draft.problem(error.message))
        }
        isSending = false
        sheet.isReady = true
      }
    } catch {
      say(error)
      switch error.field {
      case .what: whatField.focus()
      case .place: placeField.focus()
      case .hold: holdField.focus()
      case .title: titleField.focus()
      case .body: bodyField.focus()
      case nil: break
      }
    }
  }
}
