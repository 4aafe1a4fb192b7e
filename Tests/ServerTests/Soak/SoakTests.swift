// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests an hour of a busy desktop at full speed on two real servers, with and without buttons. `make soak` runs all of
/// it, `make test` a few minutes' worth.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(60)))
struct SoakTests {
  @Test(.on(Xfce())) func `xfce4-notifyd survives a busy hour`() async throws { try await Self.soak(Xfce()) }
  @Test(.on(Dunst())) func `dunst survives a busy hour`() async throws { try await Self.soak(Dunst()) }

  /// One request every five seconds is 720 an hour.
  private static let steps = ProcessInfo.processInfo.environment["SUZU_LONG_TESTS"] == nil ? 30 : 720

  private static func soak(_ server: any Server) async throws {
    let (figures, presses, lost, repeated) = try await offPool {
      var soak = Soak(try Desktop(server), seed: 20_261_121)
      try soak.warmUp()
      // With one center, so that its growth can be measured.
      for _ in 0..<steps { try soak.step() }
      let growth = try soak.growth()
      // Every ended process comes back.
      for _ in 0..<max(1, steps / 60) {
        for end in Soak.End.allCases { try soak.end(end) }
      }
      try soak.settle()
      return (soak.figures + growth, soak.presses, soak.lost, soak.repeated)
    }
    #expect(presses > 0 && lost == 0 && repeated == 0)
    print("soak: \(server.name): \(figures.joined(separator: "; "))")
  }
}
