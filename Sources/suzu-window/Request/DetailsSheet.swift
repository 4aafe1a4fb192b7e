// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import CenterClient
internal import NotificationModel
internal import WindowModel

/// What a request says, to read and to copy. If it is on the screen, its buttons can be pressed here as well.
@MainLoop final class DetailsSheet {
  private(set) var sheet: Sheet!
  private let request: ListedRequest
  private let link: CenterLink

  init(
    _ request: ListedRequest, _ link: CenterLink, over parent: Widget, cancel: (@MainLoop () -> Void)? = nil
  ) {
    (self.request, self.link) = (request, link)
    let details = RequestDetails(request, .current)
    let content = Box(.column, spacing: 12, [Label(details.title, lines: 0).styled("title-2").selectable()])
    if let body = details.body { content.append(Label(body, lines: 0).selectable()) }
    for line in details.lines {
      let value = Label(line.text, lines: 0).expanding(horizontally: true).selectable().spoken(
        "\(line.label): \(line.text)")
      content.append(Box(.row, spacing: 12, [Label(line.label).wide(9).styled("dim-label"), value]))
    }
    if !details.actions.isEmpty {
      let buttons = details.actions.map { action in
        Button(plain: ShownText.line(action.title, atMost: 120)) { [unowned self] in press(action.id) }
      }
      content.append(Box(.column, spacing: 6, [Label("It is on the screen").styled("heading")] + buttons))
    }
    if let cancel {
      let button = Button("_Cancel request") { [unowned self] in
        sheet.close()
        cancel()
      }
      gtk_widget_set_halign(button.widget, GTK_ALIGN_START)
      content.append(button.styled("destructive-action", "pill"))
    }
    sheet = Sheet("Details", over: parent, content, owner: self, confirm: nil) {}
  }

  /// As if the button of the popup had been pressed.
  private func press(_ action: String) {
    sheet.say(nil)
    Task {
      do throws(SuzuError) {
        try await link.respond(RequestName(request), action)
        sheet.close()
      } catch {
        sheet.say(error.message)
      }
    }
  }
}
