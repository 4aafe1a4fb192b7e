// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

extension ObjectReference {
  /// Adds an action without a parameter to this application or window.
  func addAction(_ name: String, _ run: @escaping @MainLoop () -> Void) {
    let action = ObjectReference(taking: g_simple_action_new(name, nil))
    action.on("activate", run)
    g_action_map_add_action(to(), action.to())
  }
}
