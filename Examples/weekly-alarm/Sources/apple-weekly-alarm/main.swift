// SPDX-License-Identifier: Apache-2.0
import UserNotifications

// apple-weekly-alarm TIME [DAY…]    sets the alarm, and ends: apple-weekly-alarm 7:30 mon tue thu
// apple-weekly-alarm    is what the button OK starts; it runs until it is ended

#if os(Linux)
  UNUserNotificationCenter.appIdentifier = "org.example.WeeklyAlarm"
#endif

let alarm = Alarm()

func show() async {
  let text = await alarm.next()?.formatted(date: .complete, time: .shortened)
  print(text.map { "The alarm rings on \($0)." } ?? "There is no alarm.")
}

let words = CommandLine.arguments.dropFirst()
if let time = words.first {
  let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
  let days = words.dropFirst().compactMap { names.firstIndex(of: $0.lowercased()) }.map { $0 + 1 }
  let parts = time.split(separator: ":").compactMap { Int($0) }
  guard 2...3 ~= parts.count, days.count == words.count - 1 else {
    print("usage: apple-weekly-alarm [TIME [sun|mon|tue|wed|thu|fri|sat]…]")
    exit(64)
  }
  try await alarm.set(
    days.isEmpty ? [2, 3, 5] : days, hour: parts[0], minute: parts[1], second: parts.count > 2 ? parts[2] : 0)
  await show()
} else {
  UNUserNotificationCenter.current().delegate = alarm
  for await _ in alarm.presses { await show() }
}
