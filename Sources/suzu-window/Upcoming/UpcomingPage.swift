// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import NotificationModel
internal import WindowModel

/// The page *Upcoming*: what is not shown yet, by day.
@MainLoop final class UpcomingPage {
  let widget: Pages
  let list = DayList<UpcomingRow>("Upcoming", button: ("user-trash-symbolic", "Cancel"), isMovable: true)
  /// Called when the user moves a request with keys or with the mouse; returns whether it can be moved.
  var onMove: @MainLoop (UpcomingRow, MovedRequest.Move) -> Bool = { _, _ in false }
  private var model = UpcomingList()
  private let problem = StatusPage(icon: "network-offline-symbolic", "No connection")

  init(new: @escaping @MainLoop () -> Void) {
    widget = Pages([
      ("wait", StatusPage(icon: "dev.suzu.Suzu-symbolic", "Connecting")), ("list", list.widget),
      (
        "empty",
        StatusPage(
          icon: "dev.suzu.Suzu-symbolic", "Nothing is coming up",
          "What you schedule here, with the command 'suzu' or in an app, is listed here until it is shown.",
          button: Button("_New request", new))
      ), ("problem", problem),
    ])
    for (keys, move) in [
      ("<Alt>Down", MovedRequest.Move.days(1)), ("<Alt>Up", .days(-1)), ("<Alt>Right", .hours(1)),
      ("<Alt>Left", .hours(-1)),
    ] {
      list.onRowKeys(keys) { [unowned self] in self.move($0, move) }
    }
    list.onDrop = { [unowned self] row, target, isHeading in
      if let next = target.next { self.move(row, isHeading ? .day(next) : .instant(next)) }
    }
  }

  private func move(_ row: UpcomingRow, _ move: MovedRequest.Move) {
    if onMove(row, move) { list.follow { $0.name == row.name && $0.next != row.next } }
  }

  func show(_ link: CenterLink, _ clock: LocalClock) {
    switch link.state {
    case .connecting: widget.shown = "wait"
    case .failed(let text):
      problem.say(text)
      widget.shown = "problem"
    case .ready: apply(model.show(link.listing.rows, muted: link.listing.muted, clock), clock)
    }
  }

  func hide(_ name: RequestName, _ clock: LocalClock) { apply(model.hide(name, clock), clock) }

  func unhide(_ name: RequestName, _ clock: LocalClock) { apply(model.unhide(name, clock), clock) }

  /// Writes the distances anew, and the headings on another day.
  func tick(_ clock: LocalClock) {
    if widget.shown == "list" { apply(model.arrange(clock), clock) }
  }

  private func apply(_ change: ListChange?, _ clock: LocalClock) {
    list.show(model.entries, change, clock)
    widget.shown = model.isEmpty ? "empty" : "list"
  }
}
