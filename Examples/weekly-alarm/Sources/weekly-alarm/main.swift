// SPDX-License-Identifier: Apache-2.0
import Foundation
import Suzu

// weekly-alarm TIME [DAY…]    sets the alarm: weekly-alarm 7:30 mon tue thu
// weekly-alarm off    cancels it
// weekly-alarm    prints the next date; the button OK of the alarm starts it, too
//
// One request rings for ever. This program need not run for that.

let app = try await Center.connect().app("org.example.WeeklyAlarm")

func set(_ time: TimeOfDay, on days: Set<Weekday>) async throws {
  try await app.notify(
    "Good morning", body: "It is \(time).", at: .weekly(on: days, at: time), id: "alarm",
    actions: [
      Action(id: "ok", title: "OK", effect: .launch("org.example.WeeklyAlarm")),
      Action(id: "later", title: "In five minutes", effect: .snooze(.minutes(5))),
    ]
  ) {
    $0.style = .alert
    $0.sound = "alarm-clock-elapsed"
  }
}

let words = CommandLine.arguments.dropFirst()
switch words.first {
case nil: break
case "off": try await app.cancelAll()
case let word?:
  let days = words.dropFirst().compactMap { day in Weekday.allCases.first { "\($0)".hasPrefix(day.lowercased()) } }
  guard let time = try? TimeOfDay(word), days.count == words.count - 1 else {
    print("usage: weekly-alarm [TIME [mon|tue|wed|thu|fri|sat|sun]… | off]")
    exit(64)
  }
  try await set(time, on: days.isEmpty ? [.monday, .tuesday, .thursday] : Set(days))
}

var text: String?
for try await request in app.pendingRequests() {
  text = request.nextDate?.formatted(date: .complete, time: .shortened)
  break
}
print(text.map { "The alarm rings on \($0)." } ?? "There is no alarm.")
