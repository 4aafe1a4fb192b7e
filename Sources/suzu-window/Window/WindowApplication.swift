// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import Glibc

/// The program on the bus, as `dev.suzu.Suzu`: one process with one window, also if it is started twice.
@MainLoop final class WindowApplication {
  private let application: ObjectReference
  private let link = CenterLink()
  private var window: MainWindow?

  init() {
    application = ObjectReference(taking: adw_application_new("dev.suzu.Suzu", G_APPLICATION_DEFAULT_FLAGS))
    application.on("activate") { [unowned self] in shown().present() }
    application.addAction("quit") { [unowned self] in
      // Closing it finishes what has only been hidden.
      if let window { gtk_window_close(window.window.to()) } else { g_application_quit(application.to()) }
    }
    inWindow("new-request") { $0.newRequest() }
    inWindow("new-alarm") { $0.newAlarm() }
    inWindow("upcoming") { $0.show(page: "upcoming") }
    inWindow("history") { $0.show(page: "history") }
    inWindow("alarms") { $0.show(page: "alarms") }
    inWindow("new-event") { $0.newEvent() }
    inWindow("events") { $0.show(page: "events") }
    inWindow("launcher") { $0.show(page: "launcher") }
    inWindow("apps") { $0.show(page: "apps") }
    for (action, keys) in [
      ("app.quit", "<Control>q"), ("win.new", "<Control>n"), ("win.undo", "<Control>z"), ("win.week", "<Alt>w"),
      ("app.upcoming", "<Alt>1"),
      ("app.alarms", "<Alt>2"), ("app.history", "<Alt>3"), ("app.events", "<Alt>4"), ("app.launcher", "<Alt>5"),
      ("app.apps", "<Alt>6"),
      ("win.search", "<Control>f"),
    ] {
      window_set_accelerator(application.to(), action, keys)
    }
  }

  /// Adds an action that shows the window first: the bus may start the program with it.
  private func inWindow(_ action: String, _ run: @escaping @MainLoop (MainWindow) -> Void) {
    application.addAction(action) { [unowned self] in
      let window = shown()
      window.present()
      run(window)
    }
  }

  /// Runs until the window is closed.
  func run(_ arguments: [String]) -> Int32 {
    var words = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    return words.withUnsafeMutableBufferPointer { g_application_run(application.to(), Int32($0.count), $0.baseAddress) }
  }

  private func shown() -> MainWindow {
    if let window { return window }
    window_add_style(Self.style)
    let window = MainWindow(of: application, link)
    window.whileBusy = { [unowned self] isBusy in
      if isBusy { g_application_hold(application.to()) } else { g_application_release(application.to()) }
    }
    self.window = window
    Task { await link.run() }
    return window
  }

  private static let style = """
    listview.days { background: transparent; padding: 6px 12px 18px; }
    listview.days > row { padding: 0; background: none; outline: none; }
    listview.days .day { padding: 18px 9px 6px; }
    listview.days .request { padding: 7px 9px; border-radius: 9px; }
    listview.days > row:hover .request { background: alpha(currentColor, 0.05); }
    listview.days > row:selected .request { background: alpha(@accent_color, 0.15); }
    listview.days > row:focus-visible .request { outline: 2px solid alpha(@accent_color, 0.7); outline-offset: -2px; }
    listview.days .time { font-weight: 600; }
    listview.days .title { font-weight: 500; }
    grid.week { padding: 0 12px; }
    grid.week .day { padding: 6px 3px; }
    grid.week .hour { padding: 1px 6px 0 0; }
    grid.week .room, grid.week .chips { min-height: 20px; margin: 0 1px; border-top: 1px solid alpha(currentColor, 0.12); }
    grid.week .room:drop(active), grid.week .day:drop(active) { background: alpha(@accent_color, 0.2); }
    grid.week .chips { padding: 1px 1px 2px; }
    grid.week .chip { margin: 1px; padding: 2px 5px; border-radius: 6px; background: alpha(@accent_color, 0.18); }
    grid.week .chip:hover { background: alpha(@accent_color, 0.3); }
    grid.week .chip.later { background: alpha(currentColor, 0.08); }
    grid.week .chip:focus-visible { outline: 2px solid @accent_color; outline-offset: -2px; }
    grid.week .chip .time { font-weight: 600; }
    grid.week .more { min-height: 18px; padding: 0 3px; font-size: smaller; }
    .message { padding: 6px 6px 6px 15px; border-radius: 12px; min-height: 34px; }
    .popup { padding: 12px; }
    .alarm-time spinbutton { font-size: 28px; font-weight: 300; }
    button.weekday:checked { background: @accent_bg_color; color: @accent_fg_color; }
    """
}
