// SPDX-License-Identifier: Apache-2.0
import EventLoop
import TestSupport
import Testing

/// Tests that the command takes the same long titles as the center, and what a popup shows of them.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct LongTitleTests {
  /// The command refused more than 4,096 bytes, which every other program could send.
  @Test(arguments: [4_097, 100_000])
  func `A long title is kept whole, and the popup shows its first kilobyte`(count: Int) async throws {
    let session = try Session()
    let title = String(repeating: "x", count: count)
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let noted = try await offPool { try session.suzu("notify", title, "--id", "long") }
      #expect(noted.status == 0 && noted.errors == "", "\(noted.errors)")
      let posted = try await server.posted.next(within: .seconds(15))
      #expect(posted.summary == String(repeating: "x", count: 1021) + "…" && posted.summary.utf8.count == 1024)
      let history = try await offPool { try session.suzu("history", "--json") }
      #expect(history.output.contains("\"\(title)\""))
    }
  }
}
