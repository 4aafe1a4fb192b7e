// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests opening of URLs through the real portal.
@Suite(
  .timeLimit(.minutes(2)), .enabled(if: RealPortal.missing.isEmpty, "no xdg-desktop-portal with its GTK part here"))
struct RealPortalTests {
  @Test func `The real portal opens a URL with the user's program`() async throws {
    let folder = try TemporaryFolder()
    let (screen, variables) = try RealPortal.prepare(folder)
    defer { screen.kill() }
    mkfifo(folder.path("opened"), 0o600)
    let program = try folder.write(
      "#!/bin/sh\nprintf '%s\\n' \"$1\" >'\(folder.path("opened"))'\n", to: "open", executable: true)
    try folder.write(
      "[Desktop Entry]\nType=Application\nName=Opener\nExec=\(program) %u\nMimeType=x-scheme-handler/https;\n",
      to: "home/.local/share/applications/opener.desktop")
    try folder.write(
      "[Default Applications]\nx-scheme-handler/https=opener.desktop\n", to: "home/.config/mimeapps.list")
    let bus = try PrivateBus(services: RealPortal.commands, environment: variables, in: folder)
    let opened = try RunningProgram(
      "/bin/sh", ["-c", "exec cat <>'\(folder.path("opened"))'"], environment: bus.environment)
    try await withBus(bus) { loop, bus in
      let connection = try await bus.connect(on: loop)
      let ending = await URLOpener.open(
        "https://example.org/tea?x=1&y=%20", activationToken: "token_TIME1", throughPortalOf: connection, on: loop)
      #expect(ending == .opened)
      await connection.close()
    }
    #expect(opened.readLine() == "https://example.org/tea?x=1&y=%20")
  }
}
