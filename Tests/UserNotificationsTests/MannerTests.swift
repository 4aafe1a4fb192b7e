// SPDX-License-Identifier: Apache-2.0
import AppleManners5
import AppleManners6
import CenterClient
import CoreLocation
import Foundation
import NotificationModel
import TestSupport
import Testing
import UserNotifications

/// Tests code in the manners of real apps, each in a process of its own: it compiles as it is, and its methods are called.
@Suite(.timeLimit(.minutes(5))) struct MannerTests {
  @Test func `A singleton with completion handlers`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        NotificationManager.shared.start()
        let shown = try await manner.shown()
        try check(shown.summary == "Tea is ready" && shown.body.contains("4 minutes"), shown)
        try await manner.server.press(shown.number, shown.key("Done"))
        try await manner.says("done 42 3")
        NotificationManager.shared.scheduleReminder(title: "Again", after: 1)
        try await manner.server.tellClosed(manner.shown().number, reason: 2)
        try await manner.says("dismissed 42")
      }
    }
  }

  @Test func `The center behind a protocol, and a spy`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let spy = SpyCenter()
        let tested = AlarmScheduler(center: spy)
        tested.schedule([2, 3], hour: 7, minute: 30) { _ in }
        try check(spy.added.map(\.identifier) == ["alarm.2", "alarm.3"], spy.added)
        let alarms = AlarmScheduler()
        let requests = try await withCheckedThrowingContinuation { continuation in
          alarms.schedule([2, 3, 5], hour: 7, minute: 30) { continuation.resume(with: $0) }
        }
        try check(Set(requests.map(\.identifier)) == ["alarm.2", "alarm.3", "alarm.5"], requests)
        alarms.ringNow()
        let shown = try await manner.shown()
        try await manner.server.press(shown.number, shown.key("Snooze"))
        try await manner.says("alarm snooze")
      }
    }
  }

  @Test func `A tool that waits with semaphores`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { _ in
        let lines = await withCheckedContinuation { continuation in
          Thread.detachNewThread { continuation.resume(returning: ReminderTool().run()) }
        }
        try check(lines == ["allowed true", "tool true 0.0", "authorized", "left 0"], lines)
      }
    }
  }

  @Test func `A class on the main actor with async methods, and a location`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let reminders = await Reminders()
        try await reminders.start()
        let shown = try await manner.shown()
        try check(await reminders.pending() == ["office"], shown)
        let row = try await manner.observer.pending(app: Manner.app).first
        try check(row?.words["on"] == .text("leave place 52.52,13.405 200m"), row?.words ?? [:])
        try await manner.server.press(shown.number, "default")
        try await manner.says("main actor [1, 2, 3] 1")
      }
    }
  }

  @Test func `A model on the main actor in Swift 6`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let model = await TeaModel()
        await model.start()
        let shown = try await manner.shown()
        try await manner.server.press(shown.number, shown.key("Drink"))
        try await manner.says("model drink 2")
      }
    }
  }

  @Test func `A struct of closures and a stream of events`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let feature = Feature()
        Task { try await feature.run() }
        let shown = try await manner.shown()
        try await manner.server.press(shown.number, "default")
        try await manner.says("feature 0")
      }
    }
  }

  @Test func `Conformances on the main actor and on another one`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let isolated = await IsolatedDelegate()
        await isolated.start()
        try await manner.click()
        try await manner.says("isolated 1")
        let preconcurrency = await PreconcurrencyDelegate()
        await preconcurrency.start()
        try await manner.click()
        try await manner.says("preconcurrency 1")
        let actor = await ActorDelegate()
        await actor.start()
        try await manner.click()
        try await manner.says("actor 1")
      }
    }
  }
}
