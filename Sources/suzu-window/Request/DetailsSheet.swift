// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import NotificationModel
internal import WindowModel

/// What a request says, to read and to copy.
@MainLoop final class DetailsSheet {
  private(set) var sheet: Sheet!

  init(_ request: ListedRequest, over parent: Widget, cancel: (@MainLoop () -> Void)? = nil) {
    let details = RequestDetails(request, .current)
    let content = Box(.column, spacing: 12, [Label(details.title, lines: 0).styled("title-2").selectable()])
    if let body = details.body { content.append(Label(body, lines: 0).selectable()) }
    for line in details.lines {
      let value = Label(line.text, lines: 0).expanding(horizontally: true).selectable().spoken(
        "\(line.label): \(line.text)")
      content.append(Box(.row, spacing: 12, [Label(line.label).wide(9).styled("dim-label"), value]))
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
}
