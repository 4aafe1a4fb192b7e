// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import NotificationModel
internal import WindowModel

/// The page *Events*: what comes when something happens.
@MainLoop final class EventsPage {
  let widget: Pages
  let list = DayList<EventRow>("Events", button: ("user-trash-symbolic", "Delete"), hasTimes: false)
  private var model = EventsList()
  private let problem = StatusPage(icon: "network-offline-symbolic", "No connection")

  init(new: @escaping @MainLoop () -> Void) {
    widget = Pages([
      ("wait", StatusPage(icon: "dev.suzu.Suzu-symbolic", "Connecting")), ("list", list.widget),
      (
        "empty",
        StatusPage(
          icon: "media-playlist-repeat-symbolic", "No events",
          "An event comes when something happens: when a network is connected, the battery is low, or a file appears.",
          button: Button("_New event", new))
      ), ("problem", problem),
    ])
  }

  func show(_ link: CenterLink) {
    switch link.state {
    case .connecting: widget.shown = "wait"
    case .failed(let text):
      problem.say(text)
      widget.shown = "problem"
    case .ready: apply(model.show(link.listing.events, muted: link.listing.muted))
    }
  }

  func hide(_ name: RequestName) { apply(model.hide(name)) }

  func unhide(_ name: RequestName) { apply(model.unhide(name)) }

  private func apply(_ change: ListChange?) {
    list.show(model.entries, change, .current)
    widget.shown = model.isEmpty ? "empty" : "list"
  }
}
