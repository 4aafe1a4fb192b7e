// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import CenterClient
internal import Launcher
internal import NotificationModel
internal import WindowModel
internal import Zoneinfo

/// The window: its pages, the buttons above them, and what they do to the center.
@MainLoop final class MainWindow {
  let window: Widget
  private let link: CenterLink
  private let stack = Widget(taking: adw_view_stack_new())
  private let messages: MessageBar
  // Set once, by the initializer: their handlers call this object.
  private var upcoming: UpcomingPage!
  private var alarms: AlarmsPage!
  private var history: HistoryPage!
  private var events: EventsPage!  // Likewise.
  private var launcher: LauncherPage!  // Likewise.
  private var apps: AppsPage!  // Likewise.
  private var sheet: Sheet?
  private var cancelling: UndoableCancel?
  private var registering: UndoMessage?
  private let mover: RequestMover
  private var clock: Timer?
  /// Called while requests are being cancelled, so that the program does not end before.
  var whileBusy: @MainLoop (_ isBusy: Bool) -> Void = { _ in }

  init(of application: ObjectReference, _ link: CenterLink) {
    self.link = link
    messages = MessageBar(over: stack)
    mover = RequestMover(link, in: messages)
    // GTK owns it until it is closed.
    window = Widget(sharing: adw_application_window_new(application.to()))
    gtk_window_set_title(window.to(), "Suzu")
    window.spoken("Suzu")
    gtk_window_set_icon_name(window.to(), "dev.suzu.Suzu")
    gtk_window_set_default_size(window.to(), 760, 640)
    gtk_widget_set_size_request(window.widget, 340, 300)
    upcoming = UpcomingPage(link) { [unowned self] in newRequest() }
    alarms = AlarmsPage { [unowned self] in newAlarm() }
    add(upcoming.widget, "upcoming", "Upcoming", icon: "x-office-calendar-symbolic")
    add(alarms.widget, "alarms", "Alarms", icon: "alarm-symbolic")
    history = HistoryPage(link)
    add(history.widget, "history", "History", icon: "document-open-recent-symbolic")
    events = EventsPage { [unowned self] in newEvent() }
    add(events.widget, "events", "Events", icon: "media-playlist-repeat-symbolic")
    launcher = LauncherPage()
    add(launcher.widget, "launcher", "Launcher", icon: "view-app-grid-symbolic")
    apps = AppsPage(link)
    add(apps.widget, "apps", "Apps", icon: "application-x-executable-symbolic")
    fill()
    connect()
    link.onSign = { [unowned self] in
      history.refresh()
      apps.refresh()
    }
    link.onChange = { [unowned self] in show() }
    clock = Timer(every: 15) { [unowned self] in tick() }
    show()
  }

  private func add(_ page: Widget, _ name: String, _ title: String, icon: String) {
    // The stack keeps its pages visible, and a screen reader reads them all: what is in them is hidden instead.
    let entry = adw_view_stack_add_titled(stack.to(), Box(.column, [page]).widget, name, title)
    adw_view_stack_page_set_icon_name(entry, icon)
  }

  private func fill() {
    let switcher = Widget(taking: adw_view_switcher_title_new())
    adw_view_switcher_title_set_stack(switcher.to(), stack.to())
    adw_view_switcher_title_set_title(switcher.to(), "Suzu")
    let bar = Widget(taking: adw_view_switcher_bar_new())
    adw_view_switcher_bar_set_stack(bar.to(), stack.to())
    switcher.on("notify::title-visible") {
      adw_view_switcher_bar_set_reveal(bar.to(), adw_view_switcher_title_get_title_visible(switcher.to()))
    }
    let header = Widget(taking: adw_header_bar_new())
    adw_header_bar_set_title_widget(header.to(), switcher.widget)
    let new = Button(icon: "list-add-symbolic", named: "New") { [unowned self] in newHere() }
    adw_header_bar_pack_start(header.to(), new.widget)
    adw_header_bar_pack_end(header.to(), upcoming.toggle.widget)
    stack.expanding(vertically: true)
    stack.on("notify::visible-child-name") { [unowned self] in hideOthers() }
    hideOthers()
    adw_application_window_set_content(window.to(), Box(.column, [header, messages.widget, bar]).widget)
  }

  private func connect() {
    upcoming.onCancel = { [unowned self] row in
      cancel(row.name, row.title, isSoon: row.next.map { $0.seconds - LocalClock.current.now.seconds < 10 } ?? false)
    }
    upcoming.onOpen = { [unowned self] row in
      let details = DetailsSheet(row.request, link, over: window) { [unowned self] in upcoming.onCancel(row) }
      present(details.sheet)
    }
    upcoming.onMove = { [unowned self] row, move in
      cancelling?.finish()
      return mover.move(row, move)
    }
    mover.onProblem = { [unowned self] in messages.say($0) }
    mover.whileBusy = { [unowned self] in whileBusy($0) }
    history.list.onOpen = { [unowned self] row in present(DetailsSheet(row.request, link, over: window).sheet) }
    alarms.onOpen = { [unowned self] alarm in present(AlarmSheet(alarm, link, over: window).sheet) }
    alarms.onSwitch = { [unowned self] alarm, isOn in
      guard let name = name(of: alarm) else { return }
      act { [unowned self] link throws(SuzuError) in
        do throws(SuzuError) { try await link.mute(name, !isOn) } catch {
          alarms.redraw(.current)
          throw error
        }
      }
    }
    alarms.onDelete = { [unowned self] alarm in
      if let name = name(of: alarm) { cancel(name, "\(alarm.clock) \(alarm.title)", isSoon: false) }
    }
    window.addAction("new") { [unowned self] in newHere() }
    events.list.onButton = { [unowned self] row in cancel(row.name, row.title, isSoon: false) }
    events.list.onOpen = { [unowned self] row in
      if let draft = EventDraft(row.request) { return present(EventSheet(draft, link, over: window).sheet) }
      let details = DetailsSheet(row.request, link, over: window) { [unowned self] in events.list.onButton(row) }
      present(details.sheet)
    }
    apps.onSheet = { [unowned self] sheet in present(sheet) }
    launcher.onSheet = { [unowned self] sheet in present(sheet) }
    launcher.onMessage = { [unowned self] text in messages.say(text) }
    launcher.onRegister = { [unowned self] registration in register(registration) }
    window.addAction("search") { [unowned self] in
      if shownPage == "apps" { return apps.focusSearch() }
      if shownPage == "launcher" { return launcher.focusSearch() }
      show(page: "history")
      history.focusSearch()
    }
    window.addAction("week") { [unowned self] in upcoming.toggleWeek() }
    window.addAction("undo") { [unowned self] in undo() }
    // What is only hidden so far is cancelled, and what is to be registered is, and the program waits for that.
    window.onClose { [unowned self] in
      cancelling?.finish()
      registering?.dismiss()
    }
  }

  private func name(of alarm: WeeklyAlarm) -> RequestName? {
    alarm.id.map { RequestName(app: NotificationRequest.defaultApp, id: $0) }
  }

  // MARK: Showing

  private func show() {
    upcoming.show(link, .current)
    alarms.show(link, .current)
    events.show(link)
  }

  private func tick() {
    upcoming.tick(.current)
    alarms.tick(.current)
    // Quiet hours may have begun or ended.
    apps.refresh()
  }

  private var shownPage: String {
    adw_view_stack_get_visible_child_name(stack.to()).map { String(cString: $0) } ?? ""
  }

  private func hideOthers() {
    upcoming.isShown = shownPage == "upcoming"
    alarms.widget.isVisible = shownPage == "alarms"
    history.widget.isVisible = shownPage == "history"
    history.isShown = shownPage == "history"
    events.widget.isVisible = shownPage == "events"
    launcher.widget.isVisible = shownPage == "launcher"
    launcher.isShown = shownPage == "launcher"
    apps.widget.isVisible = shownPage == "apps"
    apps.isShown = shownPage == "apps"
  }

  func show(page: String) { adw_view_stack_set_visible_child_name(stack.to(), page) }

  func present() { gtk_window_present(window.to()) }

  // MARK: Doing

  private func newHere() {
    switch shownPage {
    case "alarms": newAlarm()
    case "events": newEvent()
    default: newRequest()
    }
  }

  func newRequest() { present(RequestSheet(link, over: window).sheet) }

  func newAlarm() {
    let time = CivilTime(hour: 7, minute: 0) ?? .midnight
    present(AlarmSheet(WeeklyAlarm(at: time), link, over: window).sheet)
  }

  func newEvent() { present(EventSheet(EventDraft(), link, over: window).sheet) }

  private func present(_ sheet: Sheet) {
    self.sheet?.close()
    self.sheet = sheet
    sheet.open { [unowned self] in if self.sheet === sheet { self.sheet = nil } }
  }

  /// Hides a request, and cancels it a little later. What comes at any moment is cancelled at once.
  private func cancel(_ name: RequestName, _ title: String, isSoon: Bool) {
    cancelling?.finish()
    mover.forget()
    if isSoon {
      act { link throws(SuzuError) in try await link.cancel(name) }
      return messages.say("Cancelled \(ShownText.isolated(title, atMost: 60))")
    }
    upcoming.hide(name, .current)
    alarms.hide(name, .current)
    events.hide(name)
    let undoable = UndoableCancel(name, saying: "Cancelled \(ShownText.isolated(title, atMost: 60))") {
      [unowned self] isUndone in
      cancelling = nil
      if isUndone { return unhide(name) }
      act { link throws(SuzuError) in
        do throws(SuzuError) { try await link.cancel(name) } catch {
          self.unhide(name)
          throw error
        }
        self.unhide(name)
      }
    }
    cancelling = undoable
    undoable.show(in: messages)
  }

  /// Takes back what was done last, as long as it can be.
  private func undo() {
    if let registering { return registering.undo() }
    if let cancelling { cancelling.undo() } else { mover.undo() }
  }

  /// Registers actions in five seconds; until then, nothing is stored.
  private func register(_ registration: Registration) {
    registering?.undo()
    let count = registration.requests.count
    let text = count == 1 ? "1 notification comes in 5 seconds" : "\(count) notifications come in 5 seconds"
    let message = UndoMessage(text, seconds: 5) { [unowned self] isUndone in
      registering = nil
      if !isUndone { act { link throws(SuzuError) in try await link.register(registration) } }
    }
    registering = message
    message.show(in: messages)
  }

  private func unhide(_ name: RequestName) {
    upcoming.unhide(name, .current)
    alarms.unhide(name, .current)
    events.unhide(name)
  }

  /// Asks the center for something, and says what went wrong.
  private func act(_ body: @escaping @MainLoop (CenterLink) async throws(SuzuError) -> Void) {
    whileBusy(true)
    Task {
      do throws(SuzuError) { try await body(link) } catch { messages.say(error.message) }
      whileBusy(false)
    }
  }
}
