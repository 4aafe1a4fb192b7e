// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// A window above the main one, with a button that takes what was entered, and one that leaves it.
@MainLoop final class Sheet {
  private let window: Widget
  private let confirm: Button?
  private let problem = Label("", lines: 0).styled("error")
  private let messages: MessageBar
  /// A widget of it, for dialogs above it.
  var body: Widget { messages.widget }
  private var undoing: UndoMessage?
  /// What fills the sheet; held as long as it is open.
  private var owner: AnyObject?
  private var isOpen = true

  /// - Parameters:
  ///   - confirm: the text of the button that takes what was entered; nil if there is nothing to take.
  ///   - extra: a widget next to it.
  init(
    _ title: String, over parent: Widget, _ content: Widget, owner: AnyObject, confirm: String?, width: Int32 = 460,
    extra: Widget? = nil, _ take: @escaping @MainLoop () -> Void
  ) {
    self.owner = owner
    problem.isVisible = false
    let body = Box(.column, spacing: 18, [problem, content]).margins(vertical: 18, horizontal: 18)
    let scroller = Scroller(Clamp(body, width: 520))
    gtk_scrolled_window_set_propagate_natural_height(scroller.to(), 1)
    gtk_scrolled_window_set_max_content_height(scroller.to(), 640)
    messages = MessageBar(over: scroller)
    self.confirm = confirm.map { Button($0, take).styled("suggested-action") }
    // GTK owns it until it is closed.
    window = Widget(sharing: adw_window_new())
    gtk_window_set_title(window.to(), title)
    window.spoken(title)
    gtk_window_set_modal(window.to(), 1)
    if let root = gtk_widget_get_root(parent.widget) {
      gtk_window_set_transient_for(window.to(), ObjectReference(sharing: root).to())
    }
    gtk_window_set_default_size(window.to(), width, -1)
    let header = Widget(taking: adw_header_bar_new())
    if let confirm = self.confirm {
      adw_header_bar_set_show_end_title_buttons(header.to(), 0)
      adw_header_bar_set_show_start_title_buttons(header.to(), 0)
      let leave = Button("_Cancel") {}
      leave.on("clicked") { [unowned self] in close() }
      adw_header_bar_pack_start(header.to(), leave.widget)
      adw_header_bar_pack_end(header.to(), confirm.widget)
    }
    if let extra { adw_header_bar_pack_start(header.to(), extra.widget) }
    adw_window_set_content(window.to(), Box(.column, [header, messages.widget]).widget)
    if let confirm = self.confirm { gtk_window_set_default_widget(window.to(), confirm.widget) }
    window.onKeys("Escape") { [unowned self] in close() }
    window.onKeys("<Control>z") { [unowned self] in undoing?.undo() }
  }

  /// Shows it; `closed` is called when it is gone.
  func open(_ closed: @escaping @MainLoop () -> Void) {
    window.on("destroy") { [weak self] in
      self?.isOpen = false
      // After the handlers that closed it.
      Task {
        closed()
        self?.owner = nil
      }
    }
    gtk_window_present(window.to())
  }

  func close() { if isOpen { gtk_window_destroy(window.to()) } }

  /// Whether the button that takes what was entered can be pressed.
  var isReady: Bool = true {
    didSet { confirm?.isSensitive = isReady }
  }

  /// Says what was done, and takes it back if the user wants that.
  func offerUndo(_ text: String, _ undo: @escaping @MainLoop () -> Void) {
    undoing?.dismiss()
    let message = UndoMessage(text) { [unowned self] isUndone in
      undoing = nil
      if isUndone { undo() }
    }
    undoing = message
    message.show(in: messages)
  }

  /// Says what is wrong with the whole; nil if nothing is.
  func say(_ text: String?) {
    problem.text = text ?? ""
    problem.isVisible = text != nil
  }
}
