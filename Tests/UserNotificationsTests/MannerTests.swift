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

private class BaseDelegate: NSObject, UNUserNotificationCenterDelegate {}

private final class DerivedDelegate: BaseDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) { completionHandler() }
}

/// Tests code in the manners of real apps, each in a process of its own: it compiles as it is, and its methods are
/// called.
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

  @Test func `Every method in a protocol, and mocks of what only the system makes`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { _ in
        let mock = MockUserNotificationCenter()
        let tested = ReminderScheduler(center: mock)
        var results: [Result<String, ReminderScheduler.ReminderError>] = []
        tested.schedule(at: Date.now + 100) { results.append($0) }
        let request = mock.requests[0]
        try check(results == [.success(request.identifier)], results)
        mock.stubbedSettings = .mock(.denied)
        tested.schedule(at: Date.now) { results.append($0) }
        mock.stubbedSettings = .mock(.provisional)
        mock.stubbedError = UNError(.notificationInvalidNoDate)
        tested.schedule(at: Date.now) { results.append($0) }
        mock.stubbedError = NSError(domain: UNErrorDomain, code: UNError.Code.badgeInputInvalid.rawValue)
        tested.schedule(at: Date.now) { results.append($0) }
        try check(
          Array(results.dropFirst()) == [
            .failure(.notAuthorized), .failure(.underlying(.notificationInvalidNoDate)),
            .failure(.underlying(.badgeInputInvalid)),
          ], results)
        let opened = UNNotificationResponse.mock(request, action: UNNotificationDefaultActionIdentifier)
        try check(tested.describe(opened) == "opened " + request.identifier, opened)
        try check(tested.describe(MockTextResponse.typed(request)) == "reply typed", "text")
        let old = MockNotification.old()
        try check(old.request.identifier == "mock" && old.date == Date(timeIntervalSince1970: 0), old)
        let trigger = MockTrigger(dateMatching: DateComponents(hour: 7), repeats: true)
        try check(trigger.nextTriggerDate() == Date(timeIntervalSince1970: 1), trigger)

        _ = try await UNUserNotificationCenter.current().requestAuthorization(options: .alert)
        let real = ReminderScheduler()
        let id = try await withCheckedThrowingContinuation { continuation in
          real.schedule(at: Date.now + 100) { continuation.resume(with: $0) }
        }
        let pending = await UNUserNotificationCenter.current().pendingNotificationRequests()
        try check(pending.map(\.identifier) == [id], pending)
      }
    }
  }

  @Test func `A loop that schedules days ahead, and groups by thread`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let habits = [
          Habit(name: "Read", times: [DateComponents(hour: 20, minute: 15)]),
          Habit(name: "Water", times: [DateComponents(hour: 8), DateComponents(hour: 12)]),
        ]
        let tracker = HabitNotifications()
        for _ in 0..<2 {
          await withCheckedContinuation { continuation in tracker.reschedule(habits) { continuation.resume() } }
        }
        let (count, next) = await withCheckedContinuation { continuation in
          tracker.next { continuation.resume(returning: ($0, $1)) }
        }
        try check(count == HabitNotifications.limit, count)
        let date = try #require(next)
        try check(date > Date.now && date < Date.now + 86_400, date)
        for habit in habits + [habits[1]] {
          tracker.remind(habit)
          _ = try await manner.shown()
        }
        let cleared = await withCheckedContinuation { continuation in
          tracker.clear(habits[1]) { continuation.resume(returning: $0) }
        }
        let left = await UNUserNotificationCenter.current().deliveredNotifications()
        try check(cleared == 2 && left.map(\.request.content.title) == ["Read"], left)
        try check(try await manner.observer.badge(app: Manner.app) == 1, cleared)
      }
    }
  }

  @Test func `A service extension that a program calls itself`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let content = UNMutableNotificationContent()
        content.title = "Picture"
        content.userInfo = ["aps": ["image": Data([1, 2, 3]).base64EncodedString(), "mutable-content": 1]]
        let service = NotificationService()
        let better = await withCheckedContinuation { continuation in
          service.didReceive(UNNotificationRequest(identifier: "push", content: content, trigger: nil)) {
            continuation.resume(returning: $0)
          }
        }
        try await UNUserNotificationCenter.current().add(
          UNNotificationRequest(identifier: "push", content: better, trigger: nil))
        let shown = try await manner.shown()
        try check(shown.summary == "Picture [modified]" && better.attachments.first?.type == "public.png", shown)
      }
    }
  }

  @Test func `A Codable payload comes back through userInfo, and continuations around handlers`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let center = AsyncCenter()
        try check(try await center.ask(), "asked")
        try check(await center.status() == .authorized, "status")
        let payload = Payload(kind: .message, id: 7)
        let router = DeepLinkRouter.shared
        UNUserNotificationCenter.current().delegate = router
        router.handlers["message"] = { got in
          NotificationCenter.default.post(
            name: .init("manner"), object: "equal \(got == Payload(kind: .message, id: 7))")
        }
        router.schedule(payload)
        let shown = try await manner.shown()
        try check(await center.delivered().map(\.request.identifier) == ["7"], shown)
        try await manner.server.press(shown.number, "default")
        try await manner.says("equal true")
        let wrong = UNNotificationRequest(
          identifier: "w", content: UNNotificationContent(),
          trigger: UNTimeIntervalNotificationTrigger(timeInterval: -1, repeats: false))
        do {
          try await center.add(wrong)
          throw TestFailure("a negative interval was added")
        } catch let error as UNError {
          try check(router.describe(error) == "invalid", error)
          try check(router.describe(error as NSError) == "invalid", error)
        }
        try check(await center.pending().isEmpty, "pending")
      }
    }
  }

  @Test func `Geofences that begin with the permission`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let place = Geotification(
          coordinate: CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4), radius: 150, identifier: "home",
          note: "Keys", eventType: .onExit)
        let read = try JSONDecoder().decode(Geotification.self, from: try JSONEncoder().encode(place))
        let manager = GeofenceManager([read])
        let heard = try await manner.heard()
        try check(heard == "fence added", heard)
        let row = try await manner.observer.pending(app: Manner.app).first
        try check(row?.words["on"] == .text("leave place 52.5,13.4 150m"), row?.words ?? [:])
        withExtendedLifetime(manager) {}
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

  @Test func `An actor behind a protocol, and a model with nonisolated methods`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let service = ReminderService()
        let daily = ReminderItem(title: "Daily", date: Date.now - 60, repeats: true)
        let id = try await service.schedule(daily)
        let once = try await service.schedule(ReminderItem(title: "Once", date: Date.now + 3600))
        try check(await service.count() == 2, id)
        await service.cancel([id, once])
        try check(await service.count() == 0, id)

        await service.start { response in
          NotificationCenter.default.post(name: .init("manner"), object: "service \(response.actionIdentifier.count)")
        }
        try await manner.click()
        try await manner.says("service \(UNNotificationDefaultActionIdentifier.count)")
        let model = await ReminderModel()
        await model.start()
        await model.ask()
        try await manner.click()
        try await manner.says("selected false")
      }
    }
  }

  @Test func `A method that only a subclass of the delegate has is not found, and a warning says so`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try await Manner.run { manner in
        let delegate = DerivedDelegate()
        UNUserNotificationCenter.current().delegate = delegate
        try await manner.click()
        try await manner.finishes()
        withExtendedLifetime(delegate) {}
      }
    }
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(errors.contains("'DerivedDelegate' ignores responses"), "\(errors)")
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
