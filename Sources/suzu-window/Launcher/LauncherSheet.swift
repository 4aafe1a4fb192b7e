// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import Launcher
internal import WindowModel

/// The actions of an app, each with a switch.
@MainLoop final class LauncherSheet {
  private let app: Catalogue.App
  private let files: LauncherFiles
  private let changed: @MainLoop () -> Void
  private(set) var sheet: Sheet!  // Set by the initializer, and never again: what happens in it calls this object.
  private var rows: [(item: Catalogue.Item, button: Switch, setting: Setting)] = []
  private var file = LauncherFile()
  /// The changes that are being written, one after the other.
  private var last: Task<Void, Never>?

  init(_ app: Catalogue.App, _ files: LauncherFiles, over parent: Widget, changed: @escaping @MainLoop () -> Void) {
    (self.app, self.files, self.changed) = (app, files, changed)
    for item in app.items {
      let name = item.key == app.id ? "Open" : ShownText.line(item.name, atMost: 200)
      let button = Switch(named: name, isOn: false) { [unowned self] isOn in set(isOn, [item]) }
      rows.append((item, button, Setting(name, button)))
    }
    let content = Box(
      .column, spacing: 18,
      [
        Label(ShownText.line(app.name), lines: 0).styled("title-2").selectable(),
        Label(ShownText.line(app.id), lines: 0).styled("dim-label").selectable(),
        SettingGroup("Buttons of its notification", rows.map(\.setting)),
      ])
    if app.items.count > 1 {
      let all = Button("All _on") { [unowned self] in set(true, app.items) }
      let none = Button("All o_ff") { [unowned self] in setOff() }
      content.append(Box(.row, spacing: 9, [all.styled("pill"), none.styled("pill")]))
    }
    sheet = Sheet("Actions", over: parent, content, owner: self, confirm: nil) {}
  }

  func show(_ file: LauncherFile) {
    self.file = file
    for row in rows { row.button.show(file.isOn(row.item.key)) }
  }

  private func setOff() {
    let before = app.items.filter { file.isOn($0.key) }
    set(false, app.items)
    if before.isEmpty { return }
    sheet.offerUndo("Switched off \(before.count) \(before.count == 1 ? "action" : "actions")") { [unowned self] in
      set(true, before)
    }
  }

  private func set(_ isOn: Bool, _ items: [Catalogue.Item]) {
    let earlier = last
    last = Task {
      await earlier?.value
      sheet.say(nil)
      for row in rows where items.contains(row.item) { row.setting.remark = nil }
      do throws(LauncherError) {
        let schemes = try await files.set(isOn, items)
        if let item = items.first, !schemes.isEmpty {
          let names = schemes.map { ShownText.line($0, atMost: 60) + ":" }.joined(separator: ", ")
          rows.first { $0.item == item }?.setting.remark = "Clicks may now open \(names)"
        }
      } catch {
        // An error about an action stands there.
        if let row = rows.first(where: { $0.item.key == error.subject }) {
          row.setting.remark = ShownText.line(error.text)
        } else {
          sheet.say(ShownText.line(error.text))
        }
        show(file)
      }
      changed()
    }
  }
}
