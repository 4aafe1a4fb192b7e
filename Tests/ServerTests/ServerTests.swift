// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests real notification servers with the real center and command, by clicking on the screen.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(10)))
struct ServerTests {
  @Test(.on(Dunst())) func `dunst passes all checks`() async throws {
    #expect(try await Walk.failures(on: Dunst()) == [])
  }
  @Test(.on(Dunst(isOnWayland: true))) func `dunst passes all checks on Wayland`() async throws {
    #expect(try await Walk.failures(on: Dunst(isOnWayland: true)) == [])
  }
  @Test(.on(Xfce())) func `xfce4-notifyd passes all checks`() async throws {
    #expect(try await Walk.failures(on: Xfce()) == [])
  }
  @Test(.inRoot(Xfce(isOnWayland: true))) func `xfce4-notifyd passes all checks on Wayland`() async throws {
    #expect(try await Walk.failures(on: Xfce(isOnWayland: true)) == [])
  }
  @Test(.on(Mate())) func `mate-notification-daemon passes all checks`() async throws {
    #expect(try await Walk.failures(on: Mate()) == [])
  }
  @Test(.on(NotificationDaemon())) func `notification-daemon passes all checks`() async throws {
    #expect(try await Walk.failures(on: NotificationDaemon()) == [])
  }
  @Test(.on(LXQt())) func `lxqt-notificationd passes all checks`() async throws {
    #expect(try await Walk.failures(on: LXQt()) == [])
  }
  @Test(.on(NotifyOSD())) func `notify-osd passes all checks`() async throws {
    #expect(try await Walk.failures(on: NotifyOSD()) == [])
  }
  @Test(.on(Awesome())) func `awesome passes all checks`() async throws {
    #expect(try await Walk.failures(on: Awesome()) == [])
  }
  @Test(.on(Mako())) func `mako passes all checks`() async throws { #expect(try await Walk.failures(on: Mako()) == []) }
  @Test(.on(Swaync())) func `swaync passes all checks`() async throws {
    #expect(try await Walk.failures(on: Swaync()) == [])
  }
  @Test(.on(Gnome())) func `gnome-shell passes all checks`() async throws {
    #expect(try await Walk.failures(on: Gnome()) == [])
  }
  @Test(.on(Plasma())) func `plasma passes all checks`() async throws {
    #expect(try await Walk.failures(on: Plasma()) == [])
  }
  @Test(.on(Cinnamon())) func `cinnamon passes all checks`() async throws {
    #expect(try await Walk.failures(on: Cinnamon()) == [])
  }
  @Test(.inRoot(Budgie())) func `budgie passes all checks`() async throws {
    #expect(try await Walk.failures(on: Budgie()) == [])
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs a test in a root of `make servers SUITE=…` only.
  static func inRoot(_ server: any Server) -> Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["SUZU_IN_ROOT"] == "true" && server.missing.isEmpty,
      "\(server.name) is tested by 'make servers SUITE=…'")
  }

  /// Runs a test if the server is installed; in CI always, so that a missing server fails.
  static func on(_ server: any Server) -> Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["CI"] == "true" || server.missing.isEmpty,
      "\(server.name) is left out: not installed here: \(server.missing.joined(separator: ", "))")
  }
}
