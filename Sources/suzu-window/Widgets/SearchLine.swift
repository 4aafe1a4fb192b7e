// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// A line that searches the list below it.
@MainLoop final class SearchLine: Widget {
  private let entry = Widget(taking: gtk_search_entry_new())

  /// - Parameter change: called after a short pause in typing.
  init(named name: String, _ change: @escaping @MainLoop (String) -> Void) {
    super.init(taking: adw_clamp_new())
    adw_clamp_set_maximum_size(to(), 640)
    entry.spoken(name)
    adw_clamp_set_child(to(), Box(.column, [entry]).margins(vertical: 9, horizontal: 12).widget)
    entry.on("search-changed") { [unowned self] in change(text) }
    entry.on("stop-search") { [unowned self] in gtk_editable_set_text(entry.to(), "") }
  }

  var text: String { String(cString: gtk_editable_get_text(entry.to())) }

  override func focus() { entry.focus() }
}
