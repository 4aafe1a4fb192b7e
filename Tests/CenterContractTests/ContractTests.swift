// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import Foundation
import FoundationXML
import NotificationModel
import Testing

/// Tests that what one end of the contract writes is what the other reads, and that `dbus/*.xml` says the same.
@Suite struct ContractTests {
  private static let response = Response(
    number: .max, app: "a", id: "1", action: "answer", reply: "with milk", due: "2026-11-21T07:30:00+01:00", missed: 3,
    userInfo: ["list": .list([.integer(1), .text("two"), .flag(true)]), "deep": .dictionary(["number": .number(0.5)])])

  private static let events: [CenterEvent] =
    [
      .delivered(app: "a", id: "1"),
      .delivered(app: "a", id: "1", due: "2026-11-21T07:30:00+01:00", missed: 3, replaces: true),
      .responded(Response(number: 1, app: "a", id: "1", action: "default")), .responded(response),
    ] + RequestEnd.allCases.map { .closed(app: "a", id: "1", reason: $0) }
    + [Outcome.done, .failed("exit 3"), .refused("no"), .waiting("app"), .lapsed("locked"), .unhandled, .other("new")]
    .map { .outcome(response: 7, $0) }

  @Test func `A registered category and the health of the center are read back`() {
    let category = Category(id: "tea", actions: [Action(id: "more", title: "More")])
    for listed in [
      RegisteredCategory(category), RegisteredCategory(category, of: "a"),
      RegisteredCategory(category, of: "a", in: "/tea.json"), RegisteredCategory(category, in: "/tea.json"),
    ] {
      #expect(RegisteredCategory(listed.properties, of: nil) == listed)
    }
    // The center does not name the app whose categories were asked for.
    let own = RegisteredCategory(RegisteredCategory(category).properties, of: "a")
    #expect(own == RegisteredCategory(category, of: "a"))
    var health = CenterHealth()
    #expect(CenterHealth(health.properties) == health && CenterHealth([:]) == nil)
    (health.folder, health.store, health.zone, health.next) = ("/a", "good", "UTC", "2026-11-21T07:30:00Z")
    (health.storeWarnings, health.categoryProblems) = (["a"], ["b", "c"])
    (health.zoneProblem, health.wakeObstacle, health.setAside) = ("d", "e", 3)
    (health.isClockSynchronized, health.canWake, health.serverFailure) = (true, true, "f")
    (health.hasDisplay, health.dialogFailure) = (false, "g")
    (health.calendarProblems, health.pushProblems, health.outboxProblems) = (["h"], ["i"], ["j"])
    #expect(CenterHealth(health.properties) == health)
  }

  @Test(arguments: events) func `An event reads back equal from its signal`(_ event: CenterEvent) {
    let signal = event.signal(to: ":1.7")
    #expect(CenterEvent(signal) == event)
    #expect(signal.destination == ":1.7" && signal.path == CenterBus.path && signal.interface == CenterBus.interface)
    let description = CenterEvent.signals.first { $0.name == signal.member }
    #expect(description?.arguments.map(\.type) == signal.arguments.map { Signature([$0.type]) })
  }

  @Test func `A change of the store reads back equal from its signal`() {
    for change in StoredChange.allCases {
      let signal = change.signal(to: ":1.7")
      #expect(StoredChange(signal) == change && CenterEvent(signal) == nil)
      #expect(CenterEvent.signals.contains { $0.name == signal.member })
    }
    #expect(StoredChange(CenterEvent.closed(app: "a", id: "b", reason: .cancelled).signal(to: ":1.7")) == nil)
  }

  @Test(
    arguments: [
      .text("Café"), .flag(true), .integer(.min), .number(0.5), .list([]), .dictionary([:]),
      .list([.text("a"), .text("b")]), .list([.text("a"), .integer(1)]), .list([.list([]), .list([.flag(false)])]),
      .list([.dictionary([:]), .dictionary(["b": .integer(1), "a": .list([.number(2)])])]),
      .dictionary(["b": .dictionary(["c": .text("")]), "a": .list([.dictionary(["id": .text("x")]), .text("y")])]),
    ] as [PlainValue]) func `A value of a request is the same on the bus with and without Codable`(_ plain: PlainValue)
    throws
  {
    #expect(try Value(plain) == ValueEncoder().encode(plain))
  }

  @Test func `Settings read back equal, with the app or without it`() {
    var denied = AppSettings(app: "a", asked: [.places])
    denied.denied = [.places]
    for settings in [
      AppSettings(app: "a"), denied, AppSettings(app: "a", asked: [.badge], allowed: [], isDecided: true),
      AppSettings(app: "a", asked: Set(NoticeKind.allCases), allowed: [.sound, .alert]),
    ] {
      #expect(AppSettings(settings.properties, of: "a") == settings)
      #expect(AppSettings(settings.properties.merging(["app": "a"]) { $1 }, of: "") == settings)
    }
    let newer: [String: Value] = ["asked": .strings(["smell", "alert"]), "more": true]
    #expect(AppSettings(newer, of: "a") == AppSettings(app: "a", asked: [.alert], allowed: []))
  }

  @Test func `Each reason for a refusal has its own error name`() throws {
    for code in RefusalCode.allCases { #expect(RefusalCode(code.errorName) == code) }
    #expect(Set(RefusalCode.allCases.map(\.errorName)).count == RefusalCode.allCases.count)
    #expect(RefusalCode(.failed) == nil)
    let text = try String(contentsOf: Self.file("dev.suzu.Center1"), encoding: .utf8)
    for code in RefusalCode.allCases {
      let last = try #require(code.errorName.text.split(separator: ".").last)
      #expect(text.contains(".\(last)"), "\(code)")
    }
  }

  @Test func `The interface files have these names and signals`() throws {
    let center = try Self.interface(CenterBus.interface)
    let signals = center.elements(forName: "signal").map { signal in
      [signal.text("name")] + signal.elements(forName: "arg").flatMap { [$0.text("name"), $0.text("type")] }
    }
    #expect(
      signals
        == (CenterEvent.signals + [CenterSignals.outgoingWaiting]).map { signal in
          [signal.name.text] + signal.arguments.flatMap { [$0.name, $0.type.text] }
        })
    let handler = try Self.interface(HandlerBus.interface)
    #expect(
      handler.elements(forName: "method").map { $0.text("name") }
        == [HandlerBus.willPresent.name.text, HandlerBus.changePush.name.text])
    #expect(try String(contentsOf: Self.file(HandlerBus.interface), encoding: .utf8).contains(HandlerBus.path.text))
    let head = try String(contentsOf: Self.file(CenterBus.interface), encoding: .utf8)
    #expect(head.contains("name \(CenterBus.name), object \(CenterBus.path)."))
  }

  private static func file(_ interface: InterfaceName) -> URL {
    URL(filePath: #filePath).appending(path: "../../../dbus/\(interface).xml").standardized
  }

  private static func interface(_ name: InterfaceName) throws -> XMLElement {
    let root = try #require(try XMLDocument(data: Data(contentsOf: file(name))).rootElement())
    return try #require(root.elements(forName: "interface").first { $0.text("name") == name.text })
  }
}

extension XMLElement {
  fileprivate func text(_ attribute: String) -> String { self.attribute(forName: attribute)?.stringValue ?? "" }
}
