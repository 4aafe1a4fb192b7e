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
  private var whatField: Field!
  private var state: Choice!
  private var holdField: Field!
  private var titleField: Field!  // Likewise.
  private var bodyField: Field!  // Likewise.
  private(set) var sheet: Sheet!  // Likewise.
  private var isSending = false

  init(_ draft: EventDraft, _ link: CenterLink, over parent: Widget) {
    (self.draft, self.link) = (draft, link)
    let isNew = draft.id == nil
    // Room for two lines, because the sheet does not grow with them.
    sentence.reserve(height: 44)
    let source = Choice(EventSource.allCases.map(\.label), named: "When", chosen: draft.source.rawValue) {
      [unowned self] index in choose(EventSource(rawValue: index) ?? .power)
    }
    whatField = Field("Which one", hint: "Its name, or a value") { [unowned self] text in
      self.draft.what = text
      changed()
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
    let when = SettingGroup("When", [Setting("Source", source), Setting("What happens", state)])
    let content = Box(
      .column, spacing: 15,
      [
        sentence, when, whatField, holdField, titleField, bodyField,
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
  }

  private func choose(_ source: EventSource) {
    draft.source = source
    state.set(source.states, chosen: draft.state)
    whatField.text = draft.what
    arrange()
    changed()
  }

  private func arrange() {
    whatField.isVisible = draft.source.example != nil
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
      (whatField, EventDraft.Field.what), (holdField, .hold), (titleField, .title), (bodyField, .body),
    ] { field?.problem = problem?.field == place ? problem?.text : nil }
    sheet.say(problem.flatMap { $0.field == nil ? $0.text : nil })
  }

  private func send() {
    if isSending { return }
    do throws(EventDraft.Problem) {
      let words = try draft.words()
      isSending = true
      sheet.isReady = false
      Task {
        do throws(SuzuError) {
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
      case .hold: holdField.focus()
      case .title: titleField.focus()
      case .body: bodyField.focus()
      case nil: break
      }
    }
  }
}
