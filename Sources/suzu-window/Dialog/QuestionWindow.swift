// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import WindowModel

/// The window of a question. Its header says whose question it is, and holds no other text of an app.
@MainLoop final class QuestionWindow {
  /// Called with the answer, or with nil if there is none.
  var onEnd: @MainLoop (String?) -> Void = { _ in }

  private let window: Widget
  private let text: Label
  private var field: Field?

  init(_ question: AppQuestion) {
    // GTK owns it until it is closed.
    window = Widget(sharing: adw_window_new())
    let title = "Question from \(ShownText.isolated(question.app))"
    gtk_window_set_title(window.to(), title)
    window.spoken(title)
    gtk_window_set_icon_name(window.to(), "dev.suzu.Suzu")
    gtk_window_set_default_size(window.to(), 420, -1)
    gtk_widget_set_size_request(window.widget, 300, -1)
    text = Label(question.text, lines: 0).high(forLinesOf: 42).selectable()
    // The text of the app is in a frame of its own, so that no line of it looks like one of the window.
    let quote = Box(.column, [text.margins(12)]).styled("card")
    let body = Box(.column, spacing: 12, [Self.scrolled(quote, atMost: 260)]).margins(12)
    let cancel = Button("_Cancel") {}
    cancel.on("clicked") { [unowned self] in onEnd(nil) }
    switch question.answer {
    case .choice(let labels):
      body.append(Self.scrolled(choices(labels), atMost: 300))
      body.append(cancel)
    case .line(let name, let button):
      body.append(line(name))
      let send = Button(plain: button) {}
      send.styled("suggested-action").on("clicked") { [unowned self] in onEnd(field?.text ?? "") }
      let buttons = Box(.row, spacing: 6, [cancel, send])
      gtk_box_set_homogeneous(buttons.to(), 1)
      body.append(buttons)
      gtk_window_set_default_widget(window.to(), send.widget)
    }
    adw_window_set_content(window.to(), Box(.column, [Self.header(question.app), body]).widget)
    window.onKeys("Escape") { [unowned self] in onEnd(nil) }
    window.onQuestion("close-request") { [unowned self] in
      onEnd(nil)
      return true
    }
  }

  func present() {
    // Keys that were meant for another window press no button: the first Tab leads to one.
    if let field { field.focus() } else { text.focus() }
    gtk_window_present(window.to())
  }

  private static func header(_ app: String) -> Widget {
    let title = Widget(taking: adw_window_title_new(ShownText.isolated(app), "asks through Suzu"))
    let header = Widget(taking: adw_header_bar_new())
    adw_header_bar_set_title_widget(header.to(), title.widget)
    return header
  }

  private func choices(_ labels: [String]) -> Box {
    let column = Box(.column, spacing: 6)
    for (index, label) in labels.enumerated() {
      let button = Button(plain: label) {}
      button.on("clicked") { [unowned self] in onEnd(String(index)) }
      column.append(button)
    }
    return column
  }

  private func line(_ name: String) -> Field {
    let field = Field(name) { _ in }
    // As many bytes as the center takes, however many each character has.
    field.longest = 16_000
    self.field = field
    return field
  }

  /// As high as its content, up to a limit.
  private static func scrolled(_ content: Widget, atMost height: Int32) -> Scroller {
    let scroller = Scroller(content).expanding(vertically: false)
    gtk_scrolled_window_set_propagate_natural_height(scroller.to(), 1)
    gtk_scrolled_window_set_max_content_height(scroller.to(), height)
    return scroller
  }
}
