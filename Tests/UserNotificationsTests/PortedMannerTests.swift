// SPDX-License-Identifier: Apache-2.0
import AppleManners5
import AppleManners6
import CenterClient
import DBus
import Foundation
import NotificationModel
import TestSupport
import Testing
import UserNotifications

/// Says what the view model of chores tells its delegate.
private final class ChoreScreen: ChoreListViewModelDelegate {
  func viewModel(_ viewModel: ChoreListViewModel, didComplete chore: Chore) {
    NotificationCenter.default.post(name: .init("manner"), object: "completed \(chore.title)")
  }

  func viewModel(_ viewModel: ChoreListViewModel, didFailWith error: any Error) {
    NotificationCenter.default.post(name: .init("manner"), object: "failed \(error)")
  }
}

/// Tests further code in the manners of real apps, each in a process of its own: plugins, ports, screens and spies.
@Suite(.timeLimit(.minutes(5))) struct PortedMannerTests {
  /// What a plugin answers.
  private struct Answer: @unchecked Sendable {
    // @unchecked: a property list or an error, which the plugin does not keep.
    let value: Any?
  }

  /// Calls a plugin.
  private static func call(
    _ plugin: LocalNotificationsPlugin, _ method: String, _ arguments: [String: Any]?
  ) async -> Answer {
    await withCheckedContinuation { continuation in
      plugin.handle(method, arguments) { continuation.resume(returning: Answer(value: $0)) }
    }
  }

  @Test func `A plugin that is called by name with dictionaries`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let plugin = LocalNotificationsPlugin()
        plugin.channel = { method, arguments in
          let values = arguments as? [String: Any] ?? [:]
          NotificationCenter.default.post(
            name: .init("manner"),
            object:
              "\(method) \(values["actionId"] ?? "-") \(values["notificationId"] ?? "-") \(values["payload"] ?? "-")"
              + " \(values["input"] ?? "-")")
        }
        let categories: [[String: Any]] = [
          [
            "identifier": "plain", "options": 1,
            "actions": [
              ["identifier": "ok", "title": "OK", "options": [NSNumber(value: 4)]] as [String: Any],
              ["identifier": "say", "title": "Say", "type": "text", "buttonTitle": "Send", "placeholder": "…"],
            ],
          ]
        ]
        let granted = await Self.call(
          plugin, "initialize",
          ["requestAlertPermission": true, "requestProvisionalPermission": true, "notificationCategories": categories])
        try check((granted.value as? NSNumber)?.boolValue == true, granted)
        let shown = await Self.call(
          plugin, "show",
          [
            "id": 7, "title": "Plugin", "body": "Body", "payload": "item 7",
            "platformSpecifics": [
              "categoryIdentifier": "plain", "badgeNumber": 3, "subtitle": NSNull(), "interruptionLevel": 2,
            ] as [String: Any],
          ])
        try check(shown.value == nil, shown)
        let posted = try await manner.shown()
        try check(posted.summary == "Plugin" && posted.body == "Body", posted)
        let active = await Self.call(plugin, "getActiveNotifications", nil)
        let first = (active.value as? [NSDictionary])?.first
        try check(first?["id"] as? Int == 7 && first?["badge"] as? Int == 3, active)
        try await manner.server.press(posted.number, posted.key("OK"))
        try await manner.says("didReceiveNotificationResponse ok 7 item 7 -")

        let wrong = await Self.call(plugin, "zonedSchedule", ["id": 8, "scheduledDate": "tomorrow"])
        try check((wrong.value as? PluginError)?.code == "invalid_date", wrong)
        for (arguments, trigger) in [
          (["id": 8, "matchDateTimeComponents": 1], "every"), (["id": 9], "at"),
        ] as [([String: Any], String)] {
          let arguments = arguments.merging([
            "title": trigger, "scheduledDate": "2090-01-02T08:30:00", "timeZoneName": "Europe/Vienna",
          ]) { $1 }
          let answer = await Self.call(plugin, "zonedSchedule", arguments)
          try check(answer.value == nil, answer)
        }
        let often = await Self.call(plugin, "periodicallyShow", ["id": 10, "title": "often", "repeatInterval": 1])
        try check(often.value == nil, often)
        let pending = await Self.call(plugin, "pendingNotificationRequests", nil)
        let rows = pending.value as? [[String: Any]] ?? []
        try check(Set(rows.compactMap { $0["id"] as? Int }) == [8, 9, 10], rows)
        try check(rows.allSatisfy { $0["payload"] is NSNull }, rows)
        _ = await Self.call(plugin, "cancel", ["id": 10])
        let left = await UNUserNotificationCenter.current().pendingNotificationRequests().map(\.identifier)
        try check(Set(left) == ["8", "9"], left)
        let missing = await Self.call(
          plugin, "show",
          ["id": 11, "title": "x", "platformSpecifics": ["attachments": [["filePath": "/nowhere/a.png"]]]])
        try check((missing.value as? PluginError)?.details as? String == UNErrorDomain, missing)
        let permissions = await Self.call(plugin, "checkPermissions", nil)
        try check((permissions.value as? [String: Bool])?["isEnabled"] == true, permissions)
      }
    }
  }

  @Test func `A shared instance with mutable collections, archives, and a snooze that copies the content`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let service = AlarmService.sharedInstance
        let granted = await withCheckedContinuation { continuation in
          service.register { granted, error in continuation.resume(returning: granted && error == nil) }
        }
        try check(granted, "not granted")
        service.onResponse = { success, error in
          NotificationCenter.default.post(
            name: .init("manner"), object: "\(success) \(error?.localizedDescription ?? "-")")
        }
        for (identifier, date) in [("later", Date.now + 3600), ("now", nil)] as [(NSString, Date?)] {
          let isDone = await withCheckedContinuation { continuation in
            service.schedule(identifier, title: "Alarm", fire: date as NSDate?, info: ["n": [1, 2]]) { success, error in
              continuation.resume(returning: success && error == nil)
            }
          }
          try check(isDone, identifier)
        }
        let archived = try service.archived()
        try check(archived.map(\.identifier) == ["later", "now"], archived)
        try check(archived.allSatisfy(service.isScheduled), archived)
        try check(archived[1].content.userInfo["n"] as? [Int] == [1, 2], archived)
        let shown = try await manner.shown()
        try await manner.server.press(shown.number, shown.key("Snooze"))
        try await manner.says("true -")
        let pending = await UNUserNotificationCenter.current().pendingNotificationRequests()
        try check(pending.map(\.content.title) == ["Alarm (snoozed)", "Alarm"], pending)
        try check(pending[0].content.categoryIdentifier == "ALARM" && !service.isScheduled(archived[1]), pending)
        let refused = await withCheckedContinuation { continuation in
          service.schedule("wrong", title: "Wrong", fire: nil, info: ["object": service]) { success, error in
            continuation.resume(returning: (success, error?.domain, error?.code))
          }
        }
        try check(refused == (false, UNErrorDomain, UNError.Code.notificationInvalidNoContent.rawValue), refused)
      }
    }
  }

  @Test func `A screen for the settings, pictures, and places`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let screen = SettingsScreen()
        func rows() async -> [String: String] {
          await withCheckedContinuation { continuation in
            screen.load { rows in
              continuation.resume(returning: Dictionary(uniqueKeysWithValues: rows.map { ($0.title, $0.value) }))
            }
          }
        }
        var seen = await rows()
        try check(seen["Status"] == "Not asked" && seen["Previews"] == "Always" && seen["CarPlay"] == nil, seen)
        let result = await withCheckedContinuation { continuation in
          screen.enableQuietly { continuation.resume(returning: (try? $0.get()) == true) }
        }
        try check(result, "not enabled")
        try await manner.observer.allow(app: Manner.app, [.alert, .places])
        try await manner.observer.configure(app: Manner.app, previews: .unlocked)
        seen = await rows()
        try check(seen["Status"] == "Allowed" && seen["Previews"] == "When unlocked", seen)
        try check(seen["Sounds"] == "off" && seen["Alerts"] == "on" && seen["Style"] == "Banners", seen)

        func show(_ data: Data, _ name: String) async -> String {
          await withCheckedContinuation { continuation in
            screen.showPicture(data, name: name) { continuation.resume(returning: $0) }
          }
        }
        let text = await show(Data([1]), "a.png")
        try check(text == "shown", text)
        let posted = try await manner.shown()
        try check(posted.summary == "Picture" && posted.hints["image-path"]?.string?.hasSuffix("a.png") == true, posted)
        let errors = await withCheckedContinuation { continuation in
          screen.remindAtPlaces { continuation.resume(returning: $0.map { $0.map { "\($0)" } }) }
        }
        try check(errors == [nil, nil], errors)
        let places = try await manner.observer.pending(app: Manner.app).compactMap { $0.words["on"] }
        try check(
          places.contains(.text("place 48.2,16.37 100m"))
            && places.contains { "\($0)".lowercased().contains("leave beacon e2c56db5") }, places)
      }
    }
  }

  @Test func `An observed model, a protocol that the center conforms to, and task groups`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let model = await MedicationViewModel()
        await model.onAppear()
        let medication = Medication(
          name: "Iron", doses: [DateComponents(hour: 8, minute: 0), DateComponents(hour: 20, minute: 30)],
          weekdays: [2, 4, 6])
        let count = await model.add(medication)
        let problem = await model.error
        try check(count == 6 && problem == nil, (count, problem as Any))
        let scheduler = MedicationScheduler()
        let pending = await scheduler.pending()
        try check(pending.count == 6 && pending.values.allSatisfy { $0 > Date.now }, pending)
        try await model.test(medication)
        let shown = try await manner.shown()
        try check(shown.summary == "Iron" && shown.body == "Dose 1\nTake Iron now", shown)
        try await manner.server.press(shown.number, shown.key("Taken"))
        try await manner.says("Iron 0 taken")
        await scheduler.cancel(medication)
        let left = await scheduler.pending()
        try check(left.isEmpty, left)
        // The placeholder of its category, while texts are hidden.
        try await manner.observer.configure(app: Manner.app, previews: .never)
        try await model.test(medication)
        let hidden = try await manner.shown()
        try check(hidden.summary == Manner.app && hidden.body == "Dose 1\nTime for your medicine", hidden)
        let wrong = await model.add(Medication(name: "", doses: [DateComponents(day: 31, hour: 8)]))
        let error = await model.error
        try check(wrong == 1 && error == nil, (wrong, error as Any))
        try await manner.observer.allow(app: Manner.app, [])
        let denied = await model.add(medication)
        let refused = await model.error
        try check(denied == 0 && refused == .invalid(.notificationsNotAllowed), (denied, refused as Any))
      }
    }
  }

  @Test func `View models and their delegates, operations, a mock, and NotificationCenter`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let mock = NotificationCenterMock()
        let tested = ChoreListViewModel(notificationCenter: mock)
        try check(mock.categories.map(\.identifier) == ["CHORE_CATEGORY"] && mock.delegate === tested, mock.categories)
        mock.errorStub = UNError(.notificationsNotAllowed)
        let problems = await withCheckedContinuation { continuation in
          tested.schedule(Chore(title: "A"), Chore(title: "B")) { continuation.resume(returning: $0.count) }
        }
        try check(problems == 2 && mock.addedRequests.map(\.content.body) == ["A", "B"], mock.addedRequests)

        let screen = ChoreScreen()
        let model = ChoreListViewModel()
        model.delegate = screen
        let states = Inbox<UNAuthorizationStatus>()
        model.permission.bind { states.put($0) }
        let granted = await withCheckedContinuation { continuation in
          model.requestPermission { continuation.resume(returning: $0) }
        }
        let seen = try await states.next(2)
        try check(granted && seen == [.notDetermined, .authorized], seen)
        let daily = Chore(title: "Daily", dueDate: Date.now + 7200)
        daily.isRepeating = true
        let errors = await withCheckedContinuation { continuation in
          model.schedule(Chore(title: "Late", dueDate: Date.now + 86_400), daily, Chore(title: "Now")) {
            continuation.resume(returning: $0.map { "\($0)" })
          }
        }
        try check(errors == [], errors)
        let dates = model.upcoming()
        try check(Set(dates.keys) == ["Late", "Daily"] && dates.values.allSatisfy { $0 > Date.now }, dates)
        let shown = try await manner.shown()
        try check(shown.summary == "Chore" && shown.body == "Now", shown)
        try await manner.server.press(shown.number, shown.key("Done"))
        try await manner.says("completed Now")
        try check(model.chores.map(\.title) == ["Late", "Daily"], model.chores.map(\.title))
      }
    }
  }

  @Test func `An actor with async let, detached tasks, builders and key paths`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { manner in
        let screen = await PlannerScreen()
        let planner = DayPlanner.shared
        try await planner.prepare()
        async let first = planner.plan(Slot("Write", at: 9, on: [2, 4]))
        async let second = planner.plan(Slot("Read", at: 21, 30))
        let counts = try await [first, second]
        try check(counts == [2, 1], counts)
        try await planner.show(Slot("Walk", at: 12))
        let shown = try await manner.shown()
        let overview = await planner.overview()
        try check(
          overview.status == "authorized" && overview.pending == ["Read", "Write", "Write"]
            && overview.delivered == ["now"] && overview.categories == ["REVIEW", "SLOT"]
            && overview.next.map { $0 > Date.now && $0 < Date.now + 86_400 } == true, overview)
        try await manner.server.press(shown.number, shown.key("In 15 Minutes"))
        try await manner.says("Walk later.15 1")
        let chosen = await screen.chosen.map(\.slot)
        try check(chosen == [Slot("Walk", at: 12)], chosen)
        let never = await #expect(throws: PlannerError.self) { try await planner.plan(Slot("Never", at: 25)) }
        try check(never == .inThePast("slot.Never"), never as Any)
        await planner.clear()
        let left = await planner.overview()
        try check(left.pending.isEmpty && left.delivered.isEmpty, left)
      }
    }
  }

  @Test func `A generic class that works with the center and with a spy`() async {
    await #expect(processExitsWith: .success) {
      try await Manner.run { _ in
        let spy = SpiedCenter()
        let start = Date(timeIntervalSince1970: 1_900_000_000)
        let tested = ReadLater(center: spy) { start }
        let components = try await tested.remind(of: "Tea", in: 3).get()
        try check(components.year == 2030 && components.hour == 9 && components.day == 20, components)
        try check(spy.requests.map(\.identifier) == ["Tea"], spy.requests)
        spy.deny()
        let denied = await tested.remind(of: "Coffee", in: 1)
        try check(denied == .failure(UNError(.notificationsNotAllowed)), denied)
        let real = ReadLater(center: UNUserNotificationCenter.current())
        for article in ["B", "A"] { _ = try await real.remind(of: article, in: 1).get() }
        let titles = await real.titles()
        try check(titles == ["A", "B"], titles)
      }
    }
  }
}
