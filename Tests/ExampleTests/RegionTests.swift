// SPDX-License-Identifier: Apache-2.0
import Foundation
import Suzu
import TestSupport
import Testing

/// Runs `Examples/region`, with the real GeoClue and a scripted satellite receiver.
@Suite(.onOwnThread, .timeLimit(.minutes(2)), .enabled(if: GeoClueStage.isPossible))
struct RegionTests {
  /// Moves the machine from Paris to Berlin and back.
  private func travel(
    _ stage: ExampleStage, _ geoclue: GeoClueStage, _ seen: (ScriptedServer.Popup) async throws -> Void
  ) async throws {
    // Both conditions must know where the machine is, before it moves.
    try stage.session.wait(for: #""holds":false"#, in: "list", "--json")
    geoclue.move(to: 52.5201, 13.4049)
    try await seen(try await stage.server.popup(titled: "You have arrived"))
    geoclue.move(to: 48.8566, 2.3522)
    try await seen(try await stage.server.popup(titled: "You have left"))
  }

  private func run(
    _ program: String, _ body: @Sendable (ExampleStage, GeoClueStage) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try await ExampleStage.run(
      "region", starting: program, variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("bus")], in: folder
    ) { stage in
      let geoclue = try GeoClueStage(stage.session.bus)
      geoclue.move(to: 48.8566, 2.3522)
      try geoclue.start()
      #expect(try stage.session.awaitOwner(of: "org.freedesktop.GeoClue2"))
      try geoclue.allow()
      try await body(stage, geoclue)
    }
  }

  @Test func `The machine arrives and leaves after the program has ended`() async throws {
    try await run("region") { stage, geoclue in
      #expect(try stage.run("region", "52.52", "13.405") == "waiting\n")
      try await travel(stage, geoclue) { popup in
        guard popup.title == "You have arrived" else { return }
        try await stage.server.click(popup)
        #expect(stage.started.readLine() == "opened https://example.org/timesheet")
        #expect(try await stage.outcome() == .done)
      }
    }
  }

  @Test func `With Apple's names, the program asks for the permission first`() async throws {
    try await run("apple-region") { stage, geoclue in
      let program = try stage.start("apple-region", "52.52", "13.405", "150")
      #expect(program.readLine() == "waiting", "\(program.errors)")
      #expect(try await stage.center.app("org.example.Region").settings().asked == [.alert, .sound, .places])
      try await travel(stage, geoclue) { popup in
        try await stage.server.click(popup)
        #expect(program.readLine() == "opened: " + (popup.title == "You have left" ? "left" : "arrived"))
        #expect(try await stage.outcome() == .done)
      }
    }
  }
}
