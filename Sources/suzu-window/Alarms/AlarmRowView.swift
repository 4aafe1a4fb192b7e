// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import WindowModel

/// A row of the page *Alarms*.
@MainLoop final class AlarmRowView {
  let row: Widget
  private let alarm: WeeklyAlarm
  private let subtitle = Label().styled("caption", "dim-label")
  /// What can have the keyboard.
  private let parts: [Widget]

  init(
    _ alarm: WeeklyAlarm, switched: @escaping @MainLoop (Bool) -> Void, delete: @escaping @MainLoop () -> Void
  ) {
    self.alarm = alarm
    row = Widget(taking: gtk_list_box_row_new())
    let name = "\(alarm.clock) \(ShownText.line(alarm.title, atMost: 80))"
    let onOff = Switch(named: name, isOn: alarm.isOn, switched)
    let remove = Button(icon: "user-trash-symbolic", named: "Delete", delete).styled("flat", "circular").centered()
    remove.spoken("Delete \(name)")
    let time = Label(alarm.clock).styled("title-1", "numeric")
    time.set("dim-label", !alarm.isOn)
    let texts = Box(.column, spacing: 2, [time, subtitle]).expanding(horizontally: true)
    let content = Box(.row, spacing: 12, [texts, onOff, remove]).margins(vertical: 10, horizontal: 14)
    gtk_list_box_row_set_child(row.to(), content.widget)
    parts = [row, onOff, remove]
    row.onKeys("Delete", delete)
  }

  /// Takes over the keyboard from a row that is about to leave: its switch from the switch of that row, and so on.
  /// Does nothing if that row does not have it.
  func takeKeyboard(from old: AlarmRowView) {
    if let part = old.parts.firstIndex(where: \.hasFocus) { parts[part].focus() }
  }

  /// Whether it shows the same alarm as another row, changed or not.
  func isVersion(of other: AlarmRowView) -> Bool { alarm.id == other.alarm.id }

  func write(_ clock: LocalClock) {
    subtitle.text = alarm.subtitle(clock)
    row.spoken(alarm.spoken(clock))
  }
}
