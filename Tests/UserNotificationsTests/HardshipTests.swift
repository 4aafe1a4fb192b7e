// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import DBus
import Foundation
import NotificationModel
import RunningApp
import Suzu
import TestSupport
import Testing

@testable import CenterClient
@testable import UserNotifications

/// Tests calls without a center, with one that dies, from many tasks, and after a cancellation.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct HardshipTests {
  private static func request(_ id: String = "tea", in seconds: Double = 600) -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.title = "Tea"
    return UNNotificationRequest(
      identifier: id, content: content,
      trigger: UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false))
  }

  /// Without waiting in between.
  private static func addAndRemove(_ id: String, _ center: UNUserNotificationCenter) {
    center.add(request(id))
    center.removePendingNotificationRequests(withIdentifiers: [id])
  }

  @Test func `Without a center, errors say why, and lists are empty`() async throws {
    try await CenterStand.run(hasCenter: false) { stand in
      let error = await #expect(throws: UNError.self) { try await stand.center.add(Self.request()) }
      #expect(error?.code == .notificationsNotAllowed)
      #expect(error?.localizedDescription.hasPrefix("the center is not running") == true)
      let asking = await #expect(throws: UNError.self) { try await stand.center.requestAuthorization(options: .alert) }
      #expect(asking?.code == .notificationsNotAllowed)
      #expect(await stand.center.pendingNotificationRequests().isEmpty)
      #expect(await stand.center.deliveredNotifications().isEmpty)
      #expect(await stand.center.notificationCategories().isEmpty)
      #expect(await stand.center.notificationSettings().authorizationStatus == .notDetermined)
      stand.center.setNotificationCategories([CenterTests.category()])
      stand.center.removeAllPendingNotificationRequests()
      // What is wrong with the request itself is told first.
      let wrong = await #expect(throws: UNError.self) { try await stand.center.add(Self.request(in: -1)) }
      #expect(wrong?.code == .notificationInvalidNoDate)
    }
  }

  @Test func `Calls before the permission is asked for have their effect, and none after it is denied`() async throws {
    try await CenterStand.run { stand in
      stand.center.setNotificationCategories([CenterTests.category()])
      try await stand.center.add(Self.request())
      #expect(try await stand.show("now") { $0.categoryIdentifier = "tea" }.actions.contains("More"))
      #expect(await stand.center.pendingNotificationRequests().count == 1)
      try await stand.center.setBadgeCount(2)
      #expect(await stand.center.notificationSettings().authorizationStatus == .notDetermined)
      #expect(try await stand.observer.settings(app: CenterStand.app).asked.isEmpty)
      try await stand.observer.allow(app: CenterStand.app, [])
      #expect(try await stand.center.requestAuthorization(options: .alert) == false)
      let error = await #expect(throws: UNError.self) { try await stand.center.add(Self.request("later")) }
      #expect(error?.code == .notificationsNotAllowed)
      #expect(await stand.center.pendingNotificationRequests().map(\.identifier) == ["tea"])
    }
  }

  @Test func `Without a bus, errors say so, and a later bus is found`() async throws {
    let folder = try TemporaryFolder()
    let identity = AppIdentity()
    identity.choose("org.example.Tea")
    let running = RunningApp(identity, bus: "unix:path=" + folder.path("bus"))
    let center = UNUserNotificationCenter(running)
    let error = await #expect(throws: UNError.self) { try await center.add(Self.request()) }
    #expect(error?.code == .notificationsNotAllowed)
    let session = try Session(in: folder)
    try await center.add(Self.request())
    #expect(await center.pendingNotificationRequests().map(\.identifier) == ["tea"])
    await running.close()
    withExtendedLifetime(session) {}
  }

  @Test func `A center that dies is started again, and its requests are there`() async throws {
    try await CenterStand.run { stand in
      try await stand.center.add(Self.request("before"))
      let process = try #require(try stand.session.process(of: "dev.suzu.Center"))
      let adding = (0..<20).map { number in Task { try await stand.center.add(Self.request("during \(number)")) } }
      kill(process, SIGKILL)
      // A call that was in progress is made again to the next center.
      for task in adding { try await task.value }
      try await stand.center.add(Self.request("after"))
      let ids = await stand.center.pendingNotificationRequests().map(\.identifier)
      #expect(Set(ids) == Set((0..<20).map { "during \($0)" } + ["before", "after"]))
    }
  }

  @Test func `The delegate gets responses of the next center`() async throws {
    try await CenterStand.run { stand in
      let delegate = NotingDelegate()
      stand.center.delegate = delegate
      try await stand.attached(delegate)
      let process = try #require(try stand.session.process(of: "dev.suzu.Center"))
      kill(process, SIGKILL)
      // The call finds no center, and the bus starts the next one.
      try await stand.center.add(Self.request("later", in: 600))
      try await stand.watch()
      try await stand.observer.notify(NotificationRequest(app: AppID(CenterStand.app), id: "again", title: "Again"))
      _ = try await stand.shown("again")
      try await stand.observer.respond(app: CenterStand.app, id: "again", action: "default")
      let response = try await delegate.responses.next(within: .seconds(30))
      #expect(response.notification.request.identifier == "again")
    }
  }

  @Test func `Many tasks at once, and cancelled ones`() async throws {
    try await CenterStand.run { stand in
      await withTaskGroup { group in
        for number in 0..<100 {
          group.addTask { try? await stand.center.add(Self.request("\(number)")) }
        }
        for number in 100..<110 {
          group.addTask {
            let task = Task { try await stand.center.add(Self.request("\(number)")) }
            task.cancel()
            // A call that was made is carried out, as at Apple.
            _ = await task.result
          }
        }
      }
      let cancelled = await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        let isAllowed = try? await stand.center.requestAuthorization(options: [.alert])
        return (isAllowed, await stand.center.notificationSettings().authorizationStatus)
      }.value
      #expect(cancelled.0 == true && cancelled.1 == .authorized)
      #expect(await stand.center.pendingNotificationRequests().count == 110)
      // Calls keep their order.
      for number in 0..<50 { Self.addAndRemove("\(number)", stand.center) }
      #expect(await stand.center.pendingNotificationRequests().count == 60)
    }
  }

  @Test func `A center of another version is told, and lists are empty`() async throws {
    try await CenterStand.run(hasCenter: false) { stand in
      try await withLoop { loop in
        let old = try await stand.session.bus.connect(on: loop)
        let notify = Method("Notify", in: ["title": "s"]) { _ in [] }
        try await old.export(Interface("dev.suzu.Center1", methods: [notify]), at: "/dev/suzu/Center")
        _ = try await old.requestName("dev.suzu.Center")
        let error = await #expect(throws: UNError.self) { try await stand.center.add(Self.request()) }
        #expect(error?.code == .notificationsNotAllowed)
        #expect(error?.localizedDescription.contains("UnknownMethod") == true, "\(error?.localizedDescription ?? "")")
        #expect(await stand.center.pendingNotificationRequests().isEmpty)
        #expect(await stand.center.notificationSettings().authorizationStatus == .notDetermined)
        await old.close()
      }
    }
  }

  @Test func `The delegate gets responses of the next bus`() async throws {
    let folder = try TemporaryFolder()
    try await CenterStand.run(in: folder) { stand in
      let delegate = NotingDelegate()
      stand.center.delegate = delegate
      try await stand.attached(delegate)
      let center = try #require(try stand.session.process(of: "dev.suzu.Center"))
      let news = try await stand.running.app().center.connection.use { connection throws(CallError) in
        await connection.events()
      }
      stand.session.bus.kill()
      // The first center would come back, too; with the second one, the order is known.
      kill(center, SIGKILL)
      let bus = try PrivateBus(
        services: ["dev.suzu.Center": folder.path("suzud")], environment: stand.session.environment, in: folder)
      try await withLoop { loop in
        let server = try await ScriptedServer.start(on: bus, loop)
        for await event in news { if case .reconnected = event { break } }
        // The bus starts the center with this call.
        try await stand.center.add(Self.request("probe"))
        let observer = try await Center.connect(toBus: bus.address, on: loop)
        try await observer.notify(NotificationRequest(app: AppID(CenterStand.app), id: "again", title: "Again"))
        let posted = try await server.posted.next()
        try await server.press(posted.number, "default")
        let response = try await delegate.responses.next(within: .seconds(30))
        #expect(response.notification.request.identifier == "again")
        await observer.close()
        await server.die()
      }
    }
  }

  @Test func `A handler is called with the error, once`() async throws {
    try await CenterStand.run { stand in
      let errors = Inbox<UNError.Code?>()
      stand.center.add(Self.request(in: 0)) { errors.put(($0 as? UNError)?.code) }
      stand.center.add(Self.request()) { errors.put(($0 as? UNError)?.code) }
      stand.center.setBadgeCount(-1) { errors.put(($0 as? UNError)?.code) }
      let told = try await errors.next(3)
      #expect(Set(told) == [.notificationInvalidNoDate, nil, .badgeInputInvalid])
    }
  }

  // MARK: The location

  /// Notes what the manager says.
  private final class LocationDelegate: NSObject, CLLocationManagerDelegate, Sendable {
    let statuses = Inbox<CLAuthorizationStatus>()
    let failures = Inbox<CLError.Code?>()

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
      statuses.put(manager.authorizationStatus)
    }
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
      failures.put((error as? CLError)?.code)
    }
    func locationManager(
      _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {
      failures.put((error as? CLError)?.code)
    }
  }

  @Test func `The permission to know the location is asked for`() async throws {
    try await CenterStand.run { stand in
      let delegate = LocationDelegate()
      let manager = CLLocationManager(stand.running)
      manager.delegate = delegate
      #expect(try await delegate.statuses.next() == .notDetermined)
      manager.requestAlwaysAuthorization()
      #expect(try await delegate.statuses.next() == .authorizedAlways)
      #expect(try await stand.observer.settings(app: CenterStand.app).asked == [.places])
      try await stand.observer.allow(app: CenterStand.app, [.alert])
      let second = CLLocationManager(stand.running)
      second.delegate = delegate
      #expect(try await delegate.statuses.next() == .denied)
      manager.startMonitoring(for: CLCircularRegion(center: CLLocationCoordinate2D(), radius: 10, identifier: "a"))
      #expect(try await delegate.failures.next() == .regionMonitoringDenied)
    }
  }
}
