// SPDX-License-Identifier: Apache-2.0
import EventLoop
import TestSupport
import Testing

@testable import Links
@testable import RunningLinks

/// Tests a distributor of UnifiedPush that takes a registration, and never gives an address.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct SilentDistributorTests {
  /// Nothing comes.
  private final class NoMessages: PushReceiver {
    func push(_ push: LinkPush) async -> PushAnswer { .taken }
    func answered(_ id: String, of app: String, by name: String?) async -> PushAnswer { .taken }
    func withdraw(_ ids: [String], of app: String) async -> PushAnswer { .taken }
  }

  private struct Held: @unchecked Sendable {
    // @unchecked: the service is used on the loop's thread only.
    let service: LinkService
  }

  /// Runs the links of a user in this process, which wait less.
  private static func start(_ stand: LinkStand, on loop: EventLoop) async throws -> Held {
    let connection = try await stand.bus.connect(on: loop)
    return try await withCheckedThrowingContinuation { done in
      loop.perform {
        do {
          var timing = LinkTiming()
          (timing.firstPause, timing.longestPause) = (.milliseconds(1), .milliseconds(2))
          timing.endpointLimit = .milliseconds(100)
          let connector = Connector(on: connection, loop)
          let service = try LinkService(stand.folders, to: NoMessages(), connector, timing: timing, on: loop)
          try service.start()
          loop.startLater { try? await connector.open() }
          done.resume(returning: Held(service: service))
        } catch {
          done.resume(throwing: error)
        }
      }
    }
  }

  private static let words = "the distributor gives the link no address; look in its settings"

  @Test func `It is asked again and again, list and doctor say what is missing, and a late address is taken`()
    async throws
  {
    try await withLoop { loop in
      let stand = try LinkStand()
      let distributor = try await ScriptedDistributor.start(on: stand.bus, loop) { _ in .silence }
      try UnifiedPushTests.add(stand)
      // The command takes this process for suzu-link.
      let lock = try RunningLock(stand.folders)
      let held = try await Self.start(stand, on: loop)
      let registrations = try await distributor.registrations.next(3)
      #expect(Set(registrations.map(\.token)).count == 1)
      try await stand.state(on: loop) { $0.phase == .waiting && $0.error?.hasPrefix(Self.words) == true }
      let listed = try stand.session.suzu("link", "list", "--json").output
      #expect(listed.contains(#""state":"waiting""#) && listed.contains(Self.words), "\(listed)")
      #expect(try stand.session.suzu("link", "show", "home").errors.contains("no distributor has given"))
      try await distributor.give(ScriptedDistributor.endpoint, to: registrations[0])
      try await stand.state(on: loop) { $0.phase == .connected && $0.endpoint != nil }
      await withCheckedContinuation { done in
        loop.perform {
          held.service.stop()
          done.resume()
        }
      }
      withExtendedLifetime(lock) {}
    }
  }

  @Test func `After a minute it counts as lost`() throws {
    let link = try LinkDefinition(
      Array(#"{"app": "a", "server": "unifiedpush:", "keysFile": "home.secret"}"#.utf8))
    let stand = try LinkStand()
    try UnifiedPushTests.add(stand)
    var state = LinkState()
    (state.phase, state.source) = (.waiting, "\(link.server.text)/")
    (state.error, state.since) = (Self.words, 1)
    let lock = try RunningLock(stand.folders)
    try state.write(to: stand.folders.state(of: LinkName("home")))
    let doctor = try stand.session.suzu("doctor").output
    #expect(doctor.contains("partly   link home: lost; \(Self.words)"), "\(doctor)")
    withExtendedLifetime(lock) {}
  }

  @Test func `The trial of such a link fails within seconds, and suzu-link ends at once`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let distributor = try await ScriptedDistributor.start(on: stand.bus, loop) { _ in .silence }
      try UnifiedPushTests.add(stand)
      let link = try stand.start()
      _ = try await distributor.registrations.next()
      let tried = try await offPool { try stand.session.suzu("link", "test", "home") }
      #expect(tried.status == 69 && tried.errors.contains(Self.words), "\(tried)")
      let listed = try stand.session.suzu("link", "list", "--json").output
      #expect(listed.contains(#""state":"connecting""#), "\(listed)")
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
    }
  }
}
