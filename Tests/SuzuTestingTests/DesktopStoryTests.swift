// SPDX-License-Identifier: Apache-2.0
import Suzu
import SuzuTesting
import TestSupport
import Testing

/// Tests of a program together with the real center and the server of a desktop, as its author writes them.
@Suite(.onOwnThread, .timeLimit(.minutes(2))) struct DesktopStoryTests {
  /// The path of the center; an installed one is `/usr/bin/suzud`.
  private let suzud = Session.programs + "/suzud"

  @Test func `Thanks on GNOME`() async throws {
    let bus = try PrivateBus(services: ["dev.suzu.Center": suzud])
    let gnome = try await ScriptedServer.start(like: .gnome48, on: bus)
    let center = try await bus.center()
    let tea = center.app("org.example.Tea")

    let responses = try await tea.responses()
    try await TeaTimer(app: tea).start(.zero)
    try await gnome.click("Thanks", on: gnome.popup(titled: "Tea is ready"))

    var clicks = responses.makeAsyncIterator()
    let response = try #require(await clicks.next())
    #expect(response.action == "drunk" && response.activationToken == "token-1")
    await response.complete()
    await center.close()
    await gnome.die()
  }

  @Test func `An alert comes back when the server crashes`() async throws {
    let bus = try PrivateBus(services: ["dev.suzu.Center": suzud])
    let plasma = try await ScriptedServer.start(like: .plasma6, on: bus)
    let center = try await bus.center()
    try await center.notify("Wake up") { $0.style = .alert }
    _ = try await plasma.popup(titled: "Wake up")

    await plasma.die()
    let restarted = try await ScriptedServer.start(like: .plasma6, on: bus)
    #expect(try await restarted.popup(titled: "Wake up").number == 1)
    await center.close()
    await restarted.die()
  }

  @Test func `On a server without buttons, the center offers a list`() async throws {
    let bus = try PrivateBus(services: ["dev.suzu.Center": suzud])
    let mako = try await ScriptedServer.start(like: .mako, on: bus)
    let center = try await bus.center()
    try await TeaTimer(app: center.app("org.example.Tea")).start(.zero)
    let popup = try await mako.popup(titled: "Tea is ready")
    #expect(popup.buttons.isEmpty && popup.posted.keys.contains("default"))
    await center.close()
    await mako.die()
  }
}
