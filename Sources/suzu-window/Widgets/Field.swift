// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// A line to type in, with its name above and what is wrong with it below.
@MainLoop final class Field: Widget {
  private let entry: Widget
  private let problemLabel = Label("", lines: 0).styled("error", "caption")
  private let name: String
  private let hint: String?

  init(_ name: String, hint: String? = nil, beside: Widget? = nil, _ change: @escaping @MainLoop (String) -> Void) {
    (self.name, self.hint) = (name, hint)
    entry = Widget(taking: gtk_entry_new()).expanding(horizontally: true).spoken(name, hint)
    super.init(taking: gtk_box_new(GTK_ORIENTATION_VERTICAL, 4))
    let row = Box(.row, spacing: 6, (beside.map { [$0] } ?? []) + [entry])
    for part in [Label(name).styled("heading"), row, problemLabel] { gtk_box_append(to(), part.widget) }
    problemLabel.isVisible = false
    gtk_entry_set_activates_default(entry.to(), 1)
    entry.on("changed") { [unowned self] in change(text) }
  }

  var text: String {
    get { String(cString: gtk_editable_get_text(entry.to())) }
    set { gtk_editable_set_text(entry.to(), newValue) }
  }

  /// An example in the empty line.
  var example: String = "" {
    didSet { gtk_entry_set_placeholder_text(entry.to(), example) }
  }

  /// The most characters that it takes; 0 for any number.
  var longest: Int32 = 0 {
    didSet { gtk_entry_set_max_length(entry.to(), longest) }
  }

  /// What is wrong with it; nil if nothing is.
  var problem: String? {
    didSet {
      guard problem != oldValue else { return }
      problemLabel.text = problem ?? ""
      problemLabel.isVisible = problem != nil
      entry.set("error", problem != nil)
      window_set_invalid(entry.widget, problem == nil ? 0 : 1)
      window_set_description(entry.widget, problem ?? hint ?? "")
    }
  }

  /// Calls a function when Enter is pressed in it, which then presses no button of the window.
  func onEnter(_ call: @escaping @MainLoop () -> Void) {
    gtk_entry_set_activates_default(entry.to(), 0)
    entry.on("activate", call)
  }

  override func focus() { entry.focus() }
}
