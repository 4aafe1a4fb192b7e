// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import CenterClient
internal import NotificationModel
internal import WindowModel
internal import Zoneinfo

/// The quiet hours of an app, or of all: whether it is quiet now, the hours that repeat, and what is shown anyway.
@MainLoop final class QuietEditor {
  typealias Undo = (text: String, edit: QuietEdit)

  let widget: SettingGroup
  private let isOfAll: Bool
  private let send: @MainLoop (QuietEdit, Undo?) -> Void
  private var facts = QuietFacts()
  private let state = Label("", lines: 0).styled("heading")
  private let rows = Box(.column)
  private var shown: [(text: String, row: Widget)] = []
  private let adder: QuietTimesEditor
  // Set by the initializer, and never again: what happens in them calls this object.
  private var now: Switch!
  private var until: Field!
  private var limit: Choice!
  private var desktop: Switch!  // Likewise.
  private var after: Choice!  // Likewise.

  /// Finds the moment that a text means.
  var onMoment: @MainLoop (String) async -> Result<Int64, SuzuError> = { _ in .success(0) }

  /// What the center does not accept; nil if nothing is wrong.
  var problem: String? {
    get { adder.problem }
    set { adder.problem = newValue }
  }

  /// - Parameter send: called with each change, and with what takes it back.
  init(of app: String?, _ send: @escaping @MainLoop (QuietEdit, Undo?) -> Void) {
    self.send = send
    isOfAll = app == nil
    adder = QuietTimesEditor()
    widget = SettingGroup("Quiet hours", [])
    now = Switch(named: "Quiet now", isOn: false) { [unowned self] in turn($0) }
    until = Field("Quiet until", hint: "A time, or a length") { [unowned self] _ in until.problem = nil }
    until.example = "2h, 18:00, tomorrow 07:00"
    until.onEnter { [unowned self] in startUntil() }
    let start = Button("_Begin") { [unowned self] in startUntil() }
    gtk_widget_set_halign(start.widget, GTK_ALIGN_END)
    let limits = (isOfAll ? [] : ["As for all apps"]) + QuietLimit.allCases.map(\.label)
    limit = Choice(limits, named: "Shown anyway", chosen: 0) { [unowned self] in choose($0) }
    adder.onAdd = { times in
      var edit = QuietEdit()
      edit.add = [times.text]
      send(edit, nil)
    }
    for part in [
      state.margins(vertical: 9, horizontal: 12), Setting("Quiet now", now),
      Box(.column, spacing: 6, [until, start]).margins(vertical: 9, horizontal: 12), rows, adder.widget,
      Setting("Shown anyway", limit),
    ] { widget.append(part) }
    if isOfAll { addGeneral() }
  }

  private func addGeneral() {
    desktop = Switch(named: "Also while the desktop does not want to be disturbed", isOn: false) {
      [unowned self] isOn in
      var edit = QuietEdit()
      edit.followsDesktop = isOn
      send(edit, nil)
    }
    after = Choice(["As one notification", "One by one"], named: "What was held comes", chosen: 0) {
      [unowned self] index in
      var edit = QuietEdit()
      edit.comesOneByOne = index == 1
      send(edit, nil)
    }
    widget.append(Setting("Also while the desktop does not want to be disturbed", desktop))
    widget.append(Setting("What was held comes", after))
  }

  // MARK: Showing

  func show(_ facts: QuietFacts, _ clock: LocalClock) {
    self.facts = facts
    state.text = facts.state(clock)
    now.show(facts.isQuiet)
    let own = facts.hours.limit.flatMap { QuietLimit.allCases.firstIndex(of: $0) }
    let usual = QuietLimit.allCases.firstIndex(of: .usual) ?? 0
    limit.show(isOfAll ? own ?? usual : own.map { $0 + 1 } ?? 0)
    if isOfAll {
      desktop.show(facts.hours.followsDesktop)
      after.show(facts.hours.comesOneByOne ? 1 : 0)
    }
    showHours(facts.hours.hours)
  }

  private func showHours(_ hours: [String]) {
    // Those that differ are made anew, and the others keep the focus.
    guard let change = ListChange(from: shown.map(\.text), to: hours) else { return }
    let range = change.position..<change.position + change.removed
    for old in shown[range] { gtk_box_remove(rows.to(), old.row.widget) }
    shown.removeSubrange(range)
    for index in change.position..<change.position + change.added {
      let row = row(of: hours[index])
      gtk_box_insert_child_after(rows.to(), row.widget, index == 0 ? nil : shown[index - 1].row.widget)
      shown.insert((hours[index], row), at: index)
    }
  }

  private func row(of text: String) -> Widget {
    let words = QuietTimes.words(text)
    let remove = Button(icon: "user-trash-symbolic", named: "Remove") { [unowned self] in
      var (edit, undo) = (QuietEdit(), QuietEdit())
      (edit.remove, undo.add) = ([text], [text])
      send(edit, ("Removed \(ShownText.isolated(words, atMost: 60))", undo))
    }
    return Setting(words, remove.styled("flat", "circular").spoken("Remove \(words)"))
  }

  // MARK: Changing

  private func turn(_ isOn: Bool) {
    var (edit, undo) = (QuietEdit(), QuietEdit())
    edit.turn = isOn ? .on : .off
    // Hours that are on are skipped until their end: they are on again with an end.
    switch facts.end {
    case .at(let end) where !isOn: undo.turn = .until(end)
    case .whenTurnedOff where !isOn: undo.turn = .on
    default: return send(edit, nil)
    }
    send(edit, ("It is no longer quiet", undo))
  }

  private func startUntil() {
    let text = until.text
    guard text.contains(where: { !$0.isWhitespace }) else {
      until.problem = "Say until when, for example: 18:00"
      return until.focus()
    }
    Task { [weak self] in
      switch await self?.onMoment(text) {
      case .success(let end)?:
        var edit = QuietEdit()
        edit.turn = .until(end)
        self?.until.text = ""
        self?.send(edit, nil)
      case .failure(let error)?:
        self?.until.problem = RequestDraft().problem(error.message).text
        self?.until.focus()
      case nil: break
      }
    }
  }

  private func choose(_ index: Int) {
    var edit = QuietEdit()
    if isOfAll {
      edit.limit = .some(QuietLimit.allCases[index])
    } else {
      edit.limit = .some(index == 0 ? nil : QuietLimit.allCases[index - 1])
    }
    send(edit, nil)
  }
}
