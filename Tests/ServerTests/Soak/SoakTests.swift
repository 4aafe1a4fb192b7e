// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// An hour of a busy desktop, as fast as it goes, on two real servers: one whose buttons a finger presses, and one that
/// draws none. `make soak` runs all of it, `make test` a few minutes' worth.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(60)))
struct SoakTests {
  @Test(.on(Xfce())) func `xfce4-notifyd`() async throws { try await Self.soak(Xfce()) }
  @Test(.on(Dunst())) func dunst() async throws { try await Self.soak(Dunst()) }

  /// A request each five seconds is 720 an hour.
  private static let steps = ProcessInfo.processInfo.environment["SUZU_LONG_TESTS"] == nil ? 30 : 720

  private static func soak(_ server: any Server) async throws {
    let figures = try await offPool {
      var soak = Soak(try Desktop(server), seed: 20_261_121)
      try soak.warmUp()
      // Of one center, so that what it keeps can be seen to grow.
      for _ in 0..<steps { try soak.step() }
      let growth = try soak.growth()
      // Whatever ends, comes back.
      for _ in 0..<max(1, steps / 60) {
        for end in Soak.End.allCases { try soak.end(end) }
      }
      try soak.settle()
      return soak.figures + growth
    }
    print("soak: \(server.name): \(figures.joined(separator: "; "))")
  }
}
