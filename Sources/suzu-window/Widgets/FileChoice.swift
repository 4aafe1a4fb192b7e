// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// The dialog of the desktop in which the user chooses files.
@MainLoop enum FileChoice {
  /// Opens it; `chosen` is called with the paths, and not at all if the user leaves it.
  static func open(_ title: String, over parent: Widget, _ chosen: @escaping @MainLoop ([String]) -> Void) {
    let window = gtk_widget_get_root(parent.widget).map { ObjectReference(sharing: $0) }
    let dialog = ObjectReference(
      taking: gtk_file_chooser_native_new(title, window?.to(), GTK_FILE_CHOOSER_ACTION_OPEN, "_Open", "_Cancel"))
    gtk_file_chooser_set_select_multiple(dialog.to(), 1)
    gtk_native_dialog_set_modal(dialog.to(), 1)
    dialog.on("response") { (answer: Int) in
      if UInt32(truncatingIfNeeded: answer) == UInt32(bitPattern: GTK_RESPONSE_ACCEPT.rawValue) {
        let paths = paths(of: dialog)
        if !paths.isEmpty { chosen(paths) }
      }
      gtk_native_dialog_destroy(dialog.to())
      dialogs.removeAll { $0 === dialog }
    }
    dialogs.append(dialog)
    gtk_native_dialog_show(dialog.to())
  }

  /// Those that are open.
  private static var dialogs: [ObjectReference] = []

  private static func paths(of dialog: ObjectReference) -> [String] {
    let files = ObjectReference(taking: gtk_file_chooser_get_files(dialog.to()))
    return (0..<g_list_model_get_n_items(files.to())).compactMap { index in
      guard let item = g_list_model_get_item(files.to(), index) else { return nil }
      let file = ObjectReference(taking: item)
      guard let path = g_file_get_path(file.to()) else { return nil }
      defer { g_free(path) }
      return String(cString: path)
    }
  }
}
