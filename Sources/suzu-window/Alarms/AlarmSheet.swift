// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import CenterClient
internal import NotificationModel
internal import WindowModel
internal import Zoneinfo

/// The sheet for a new alarm, or for one that is changed: a time, weekdays, a name and a sound.
@MainLoop final class AlarmSheet {
  private var alarm: WeeklyAlarm
  private let link: CenterLink
  private let next = Label("", lines: 0).styled("dim-label")
  private let dayProblem = Label("", lines: 0).styled("error", "caption")
  // Set once, by the initializer: its handlers call this object.
  private var titleField: Field!
  private(set) var sheet: Sheet!
  private var version = 0
  private var isSending = false

  init(_ alarm: WeeklyAlarm, _ link: CenterLink, over parent: Widget) {
    self.alarm = alarm
    self.link = link
    let isNew = alarm.id == nil
    // Room for two lines, because the sheet does not grow with them.
    next.reserve(height: 38)
    let hour = NumberField(named: "Hour", alarm.time.hour, upTo: 23) { [unowned self] in
      set(hour: $0, minute: self.alarm.time.minute)
    }
    let minute = NumberField(named: "Minute", alarm.time.minute, upTo: 59) { [unowned self] in
      set(hour: self.alarm.time.hour, minute: $0)
    }
    let time = Box(.row, spacing: 6, [hour, Label(":").styled("title-1"), minute]).styled("alarm-time")
    gtk_widget_set_halign(time.widget, GTK_ALIGN_CENTER)
    let days = Box(
      .row, spacing: 6,
      Weekday.allCases.map { day in
        Toggle(String(day.shortName.prefix(2)), named: day.longName, isOn: alarm.days.contains(day)) {
          [unowned self] isOn in
          if isOn { self.alarm.days.insert(day) } else { self.alarm.days.remove(day) }
          changed()
        }.styled("circular", "weekday")
      })
    gtk_widget_set_halign(days.widget, GTK_ALIGN_CENTER)
    dayProblem.isVisible = false
    titleField = Field("Name") { [unowned self] text in
      self.alarm.title = text
      titleField.problem = nil
    }
    titleField.text = alarm.title
    let sounds = AlarmSound.choices(with: alarm.sound)
    let sound = Choice(
      sounds.map(\.label), named: "Sound", chosen: sounds.firstIndex(of: alarm.sound) ?? 0
    ) { [unowned self] in self.alarm.sound = sounds[$0] }
    let soundRow = Box(.row, spacing: 12, [Label("Sound").styled("heading").expanding(horizontally: true), sound])
    let content = Box(.column, spacing: 18, [time, days, dayProblem, titleField, soundRow, next])
    sheet = Sheet(
      isNew ? "New alarm" : "Change alarm", over: parent, content, owner: self, confirm: isNew ? "_Add" : "_Change",
      width: 420
    ) { [unowned self] in send() }
    changed()
    hour.focus()
  }

  private func set(hour: Int, minute: Int) {
    alarm.time = CivilTime(hour: hour, minute: minute) ?? alarm.time
    changed()
  }

  private func changed() {
    version += 1
    let asked = version
    showDays(alarm.days.isEmpty ? alarm.problem : nil)
    var words = alarm.words
    // Dates do not depend on it, and it may be empty while it is typed.
    words["title"] = .text("-")
    guard !alarm.days.isEmpty, let request = try? NotificationRequest(words) else { return next.text = "" }
    Task {
      do throws(SuzuError) {
        let dates = try await link.next(request, count: 1)
        guard asked == version, let first = dates.first else { return }
        let clock = LocalClock.current
        next.text = "Rings \(WeekdayText.text(alarm.days)), next \(clock.words(Instant(first)))"
      } catch {
        if asked == version { sheet.say(error.message) }
      }
    }
  }

  private func showDays(_ problem: String?) {
    dayProblem.text = problem ?? ""
    dayProblem.isVisible = problem != nil
  }

  private func send() {
    if isSending { return }
    if let problem = alarm.problem {
      if alarm.days.isEmpty { return showDays(problem) }
      titleField.problem = problem
      return titleField.focus()
    }
    isSending = true
    sheet.isReady = false
    Task {
      do throws(SuzuError) {
        try await link.notify(alarm.words)
        sheet.close()
      } catch {
        sheet.say(error.message)
      }
      isSending = false
      sheet.isReady = true
    }
  }
}
