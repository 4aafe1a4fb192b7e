// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import CenterClient
internal import NotificationModel
internal import WindowModel

/// The sheet of an app, or that of the quiet hours of all. Each change is made at once, and what the center has is
/// shown.
@MainLoop final class AppSheet {
  /// Nil for all apps.
  let app: String?
  private let link: CenterLink
  private let changed: @MainLoop () -> Void
  private var facts: AppFacts?
  private(set) var sheet: Sheet!  // Set by the initializer, and never again: what happens in it calls this object.
  private let name = Label("", lines: 0).styled("title-2").selectable()
  private let about = Label("", lines: 0).styled("dim-label").selectable()
  private var kinds: [(kind: NoticeKind, button: Switch, setting: Setting)] = []
  private var delivery: Field!  // Set once, by ``settings()``; likewise the next three.
  private var away: Choice!
  private var previews: Choice!
  private var forget: Button!
  private var quiet: QuietEditor!  // Set once, by the initializer.
  /// Changes are made one after the other, in the order of the user.
  private var queue: [@MainLoop () async throws(SuzuError) -> Void] = []
  private var isSending = false

  /// - Parameter changed: called when the center has a change.
  init(of app: String?, _ link: CenterLink, over parent: Widget, changed: @escaping @MainLoop () -> Void) {
    (self.app, self.link, self.changed) = (app, link, changed)
    let content = Box(.column, spacing: 18, app == nil ? [] : [Box(.column, spacing: 4, [name, about])])
    quiet = QuietEditor(of: app) { [unowned self] edit, undo in setQuiet(edit, undo) }
    quiet.onMoment = { [unowned self] text in
      await moment(text)
    }
    if app != nil { for part in settings() { content.append(part) } }
    content.append(quiet.widget)
    if app != nil {
      forget = Button("_Forget what you decided") { [unowned self] in reset() }
      gtk_widget_set_halign(forget.widget, GTK_ALIGN_START)
      content.append(forget.styled("pill"))
    }
    sheet = Sheet(
      app == nil ? "Quiet hours" : "App", over: parent, content, owner: self, confirm: nil, width: 480
    ) {}
  }

  // MARK: Parts

  private func settings() -> [Widget] {
    for kind in NoticeKind.allCases {
      let button = Switch(named: kind.label, isOn: false) { [unowned self] isOn in allow(kind, isOn) }
      kinds.append((kind, button, Setting(kind.label, button)))
    }
    delivery = Field("Collect passive ones until", hint: "Times of day; nothing: each comes at once") {
      [unowned self] _ in delivery.problem = nil
    }
    delivery.example = "12:30, 17:00"
    delivery.onEnter { [unowned self] in setDelivery() }
    let set = Button("_Set times") { [unowned self] in setDelivery() }
    gtk_widget_set_halign(set.widget, GTK_ALIGN_END)
    away = Choice(AwayRule.allCases.map(\.label), named: "While you are away", chosen: 0) { [unowned self] index in
      configure { $0.away = AwayRule.allCases[index] }
    }
    previews = Choice(Previews.allCases.map(\.label), named: "Show its texts", chosen: 0) { [unowned self] index in
      configure { $0.previews = Previews.allCases[index] }
    }
    let collecting = Box(.column, spacing: 6, [delivery, set]).margins(vertical: 9, horizontal: 12)
    return [
      SettingGroup("What it may do", kinds.map(\.setting)),
      SettingGroup(
        "How its notifications come",
        [Setting("While you are away", away), Setting("Show its texts", previews), collecting]),
    ]
  }

  // MARK: Showing

  func show(_ quietFacts: QuietFacts, _ facts: AppFacts?) {
    quiet.show(quietFacts, .current)
    guard let facts else { return }
    let isFirst = self.facts == nil
    self.facts = facts
    name.text = ShownText.line(facts.name, atMost: 200)
    let id = facts.name == facts.id ? [] : [ShownText.line(facts.id)]
    about.text = (id + [facts.lastUsedText(.current)] + facts.links.map { ShownText.line($0) }).joined(separator: "\n")
    let settings = facts.settings
    for (kind, button, setting) in kinds {
      button.show(settings.allowed.contains(kind))
      // Programs outside of a sandbox can find these out by themselves.
      setting.isVisible =
        !NoticeKind.senses.contains(kind)
        || settings.asked.union(settings.allowed).union(settings.denied).contains(kind)
    }
    away.show(AwayRule.allCases.firstIndex(of: settings.away) ?? 0)
    previews.show(Previews.allCases.firstIndex(of: settings.previews) ?? 0)
    // What is being typed stays.
    let times = settings.delivery?.texts.joined(separator: ", ") ?? ""
    if isFirst || times != shownTimes { delivery.text = times }
    shownTimes = times
    forget.isSensitive = facts.isDecided
  }

  private var shownTimes = ""

  // MARK: Changing

  private func allow(_ kind: NoticeKind, _ isAllowed: Bool) {
    // Those that wait in the queue count as well.
    var allowed = Set(kinds.filter { gtk_switch_get_active($0.button.to()) != 0 }.map(\.kind))
    if isAllowed { allowed.insert(kind) } else { allowed.remove(kind) }
    send { [unowned self] app throws(SuzuError) in try await link.allow(app, allowed) }
  }

  private func configure(_ change: @escaping @MainLoop (inout AppSettings) -> Void) {
    guard var settings = facts?.settings else { return }
    change(&settings)
    let wanted = settings
    send { [unowned self] _ throws(SuzuError) in try await link.configure(wanted) }
  }

  private func setDelivery() {
    let texts = delivery.text.split { ", ;".contains($0) }.map(String.init)
    do throws(RequestError) {
      let times = texts.isEmpty ? nil : try DeliveryTimes(texts)
      delivery.problem = nil
      configure { $0.delivery = times }
    } catch {
      delivery.problem = "It \(error.problem)"
      delivery.focus()
    }
  }

  private func reset() {
    guard let before = facts?.settings else { return }
    send { [unowned self] app throws(SuzuError) in try await link.reset(app) }
    sheet.offerUndo("Forgot what you decided about this app") { [unowned self] in
      send { [unowned self] app throws(SuzuError) in
        if before.isDecided || !before.denied.isEmpty { try await link.allow(app, before.allowed) }
        try await link.configure(before)
      }
    }
  }

  private func send(_ change: @escaping @MainLoop (String) async throws(SuzuError) -> Void) {
    guard let app else { return }
    enqueue { () throws(SuzuError) in try await change(app) }
  }

  private func setQuiet(_ edit: QuietEdit, _ undo: (text: String, edit: QuietEdit)?) {
    let app = app
    enqueue { [unowned self] () throws(SuzuError) in
      try await link.setQuiet(edit, of: app)
      quiet.problem = nil
      if let undo { sheet.offerUndo(undo.text) { [unowned self] in setQuiet(undo.edit, nil) } }
    }
  }

  private func moment(_ text: String) async -> Result<Int64, SuzuError> {
    do throws(SuzuError) { return .success(try await link.moment(text)) } catch { return .failure(error) }
  }

  private func enqueue(_ change: @escaping @MainLoop () async throws(SuzuError) -> Void) {
    queue.append(change)
    if isSending { return }
    isSending = true
    // The sheet stays until all are made.
    Task {
      while !queue.isEmpty {
        let next = queue.removeFirst()
        do throws(SuzuError) {
          try await next()
          sheet.say(nil)
        } catch {
          sheet.say(error.message)
        }
      }
      isSending = false
      // Also after an error: what could not be changed goes back.
      if let facts { show(facts.quiet, facts) }
      changed()
    }
  }
}
