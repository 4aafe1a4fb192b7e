// SPDX-License-Identifier: Apache-2.0
import Suzu

// Programs as their authors write them: they know nothing of tests.

/// Tells when tea is ready, and offers another minute.
struct TeaTimer<App: Handling> {
  let app: App

  func start(_ time: Duration = .minutes(4)) async throws {
    try await app.notify(
      "Tea is ready", body: "Green", at: .after(time), id: "tea",
      actions: [
        Action(id: "longer", title: "A minute longer", effect: .snooze(.seconds(60))),
        Action(id: "drunk", title: "Thanks"),
      ]
    ) { $0.userInfo = ["kind": .text("green"), "grams": .integer(4)] }
  }
}

/// Wakes its user on some weekdays.
struct WeeklyAlarm {
  let center: any Notifying

  func set(_ days: Set<Weekday>, at time: TimeOfDay) async throws {
    try await center.cancelAll()
    try await center.notify("Wake up", at: .weekly(on: days, at: time), id: "alarm") { $0.style = .alert }
  }
}

/// Reminds of a medicine until it is taken, and keeps a diary.
actor Medication<App: Handling> {
  private let app: App
  private(set) var diary: [String] = []

  init(_ app: App) { self.app = app }

  func prescribe(_ schedule: Schedule) async throws {
    try await app.setCategories([
      Category(
        id: "medicine",
        actions: [
          Action(id: "taken", title: "Taken"),
          Action(id: "note", title: "Note", input: Action.Input(placeholder: "How do you feel?")),
        ], customDismiss: true)
    ])
    try await app.notify("Take your medicine", at: schedule, id: "medicine") { $0.category = "medicine" }
  }

  func run() async throws {
    for await response in try await app.responses() {
      switch response.action {
      case "taken":
        diary.append("taken" + (response.response.missed > 0 ? ", \(response.response.missed) missed" : ""))
        await response.complete()
      case "note":
        diary.append(response.reply ?? "")
        await response.complete()
      case Action.dismissID:
        diary.append("dismissed")
        await response.complete()
      default: await response.fail("unknown action")
      }
    }
  }
}
