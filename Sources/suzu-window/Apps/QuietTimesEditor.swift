// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import WindowModel
internal import Zoneinfo

/// Weekdays and two times of day, which become quiet hours that repeat.
@MainLoop final class QuietTimesEditor {
  let widget = Box(.column, spacing: 9).margins(vertical: 9, horizontal: 12)
  private var times = QuietTimes(
    Set(Weekday.allCases), from: CivilTime(hour: 22, minute: 0) ?? .midnight,
    to: CivilTime(hour: 7, minute: 0) ?? .midnight)
  private let problemLabel = Label("", lines: 0).styled("error", "caption")

  var onAdd: @MainLoop (QuietTimes) -> Void = { _ in }

  var problem: String? {
    didSet {
      problemLabel.text = problem ?? ""
      problemLabel.isVisible = problem != nil
    }
  }

  init() {
    let days = Box(
      .row, spacing: 6,
      Weekday.allCases.map { day in
        Toggle(String(day.shortName.prefix(2)), named: "On \(day.longName)", isOn: true) { [unowned self] isOn in
          if isOn { times.days.insert(day) } else { times.days.remove(day) }
          problem = nil
        }.styled("circular", "weekday")
      })
    let start = time("From", times.start) { [unowned self] in times.start = $0 }
    let end = time("To", times.end) { [unowned self] in times.end = $0 }
    let add = Button("_Add hours") { [unowned self] in
      problem = times.problem
      if problem == nil { onAdd(times) }
    }
    let line = Box(.row, spacing: 9, [Label("from")] + start + [Label("to")] + end + [add.centered()])
    problemLabel.isVisible = false
    for row in [days, line] { gtk_widget_set_halign(row.widget, GTK_ALIGN_START) }
    for part in [days, line, problemLabel] { widget.append(part) }
  }

  /// Two fields for a time of day.
  private func time(_ name: String, _ value: CivilTime, _ change: @escaping @MainLoop (CivilTime) -> Void) -> [Widget] {
    var time = (hour: value.hour, minute: value.minute)
    func changed() {
      problem = nil
      if let time = CivilTime(hour: time.hour, minute: time.minute) { change(time) }
    }
    let hour = NumberField(named: "\(name), hour", time.hour, upTo: 23) {
      time.hour = $0
      changed()
    }
    let minute = NumberField(named: "\(name), minute", time.minute, upTo: 59) {
      time.minute = $0
      changed()
    }
    return [hour, Label(":"), minute].map { $0.centered() }
  }
}
