// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Links

/// The distributor of KDE, which `Scripts/newer-root` fetches from Debian with its libraries.
enum RealKUnifiedPush {
  private static let place = Session.checkout.appending(path: ".build/kunifiedpush")

  /// False if the set-up says that it could not be had. If the set-up did not run, the tests fail.
  static var isPossible: Bool {
    !FileManager.default.fileExists(atPath: place.appending(path: "missing").path)
  }

  /// Starts it with a server of ntfy; it keeps its registrations over restarts.
  static func start(in stand: LinkStand, server: String) throws -> RunningProgram {
    let program = place.appending(path: "run").path
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw TestFailure("the distributor of KDE was not fetched; run Scripts/newer-root")
    }
    let folder = stand.folders.settings.replacing("/suzu/links.d", with: "/KDE")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = folder + "/kunifiedpush-distributor.conf"
    if !FileManager.default.fileExists(atPath: file) {
      try "[PushProvider]\nType=Ntfy\n\n[Ntfy]\nUrl=\(server)\n".write(toFile: file, atomically: true, encoding: .utf8)
    }
    let distributor = try RunningProgram(program, environment: stand.session.environment)
    guard try stand.session.awaitOwner(of: "org.unifiedpush.Distributor.kde") else {
      throw TestFailure("the distributor of KDE does not run: \(distributor.errors)")
    }
    return distributor
  }
}

/// Tests UnifiedPush with the real distributor of KDE, the real server of ntfy behind it, and `pywebpush` as the
/// sender.
@Suite(
  .onOwnThread, .timeLimit(.minutes(3)),
  .enabled(
    if: RealKUnifiedPush.isPossible && RealNtfy.isPossible && WebPushSender.isPossible,
    "no distributor of KDE, server of ntfy or packages of PyPI"))
struct KUnifiedPushTests {
  @Test func `A web push becomes a popup with local buttons, through restarts of the distributor and of suzu-link`()
    async throws
  {
    let ntfy = try RealNtfy()
    let server = try ntfy.start()
    try await withLoop { loop in
      // The distributor forgets apps that the bus cannot start.
      let stand = try LinkStand(hasCenter: true, startsLink: true)
      let desktop = try await ScriptedServer.start(on: stand.bus, loop)
      let distributor = try RealKUnifiedPush.start(in: stand, server: ntfy.address)
      let category = try stand.session.suzu(
        "category", "set", "backup", "--app", "org.example.Tea", "--action", "again=Again")
      #expect(category.status == 0, "\(category)")
      let added = try stand.session.suzu(
        "link", "add", "home", "--unifiedpush", "--app", "org.example.Tea", "--category", "backup")
      #expect(added.status == 0, "\(added)")
      let link = try stand.startConnected()
      try await stand.state(on: loop) { $0.endpoint?.hasPrefix(ntfy.address + "/") == true }
      let tried = try stand.session.suzu("link", "test", "home")
      #expect(tried.status == 0 && tried.output.contains("'org.unifiedpush.Distributor.kde' took"), "\(tried)")
      let subscription = try stand.session.suzu("link", "show", "home").output
      func expectShown(_ text: String) async throws {
        let posted = try await desktop.posted.next(within: .seconds(30))
        #expect((posted.summary + posted.body).contains(text) && posted.actions.contains("Again"), "\(posted)")
      }
      func send(_ text: String) throws {
        try WebPushSender.post(text, to: subscription, key: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
      }
      try send("One")
      try await expectShown("One")
      // The bus starts suzu-link for the next message.
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
      try send("Two")
      try await expectShown("Two")
      distributor.signal(SIGTERM)
      _ = distributor.waitForExit()
      try await stand.state(on: loop) { $0.phase == .waiting }
      try send("Three")
      let again = try RealKUnifiedPush.start(in: stand, server: ntfy.address)
      try await expectShown("Three")
      try await stand.state(on: loop) { $0.phase == .connected }
      #expect(try stand.session.suzu("link", "show", "home").output == subscription)
      #expect(desktop.posted.waiting.isEmpty)
      #expect(try stand.session.suzu("link", "remove", "home").status == 0)
      again.kill()
    }
    server.kill()
  }
}
