// SPDX-License-Identifier: Apache-2.0
import EventLoop
import TestSupport
import Testing

/// A desktop with its bus, its center and a link whose answers go back.
struct AnswerDesk {
  let stand: LinkStand
  let screen: ScriptedServer
  let link: RunningProgram

  /// - Parameter more: flags of the category whose button the messages have.
  init(_ server: String, on loop: EventLoop, category more: [String] = []) async throws {
    stand = try LinkStand(hasCenter: true)
    screen = try await ScriptedServer.start(on: stand.bus, loop)
    let words = ["category", "set", "bell", "--app", "org.example.Tea", "--action", "go=Go"]
    let category = try stand.session.suzu(words + more)
    guard category.status == 0 else { throw TestFailure("no category: \(category)") }
    try stand.write(server: server, #""category": "bell", "answers": true"#)
    link = try stand.startConnected()
  }

  func press(_ posted: ScriptedServer.Posted) async throws {
    let key = try #require(zip(posted.actions, posted.actions.dropFirst()).first { $1 == "Go" }?.0)
    try await screen.press(posted.number, key)
  }

  func stop() { #expect(LinkStand.stop(link) == 0, "\(link.errors)") }
}

/// A real server over which answers go.
protocol AnswerServer: Sendable {
  var address: String { get }
  func start() throws -> RunningProgram
  /// - Parameter id: by which desktops know the message; a server that gives ids itself ignores it.
  func send(_ title: String, id: String) throws
}

extension RealNtfy: AnswerServer {
  func send(_ title: String, id: String) throws { try publish("x", ["Title": title]) }
}

extension RealMosquitto: AnswerServer {
  func send(_ title: String, id: String) throws { try publish("x", words: [("title", title), ("id", id)]) }
}

/// The servers of ``AnswerServer``.
enum AnswerServerKind: CaseIterable {
  case mosquitto, ntfy

  static var possible: [Self] { allCases.filter { $0 == .mosquitto || RealNtfy.isPossible } }

  func make() throws -> any AnswerServer {
    switch self {
    case .mosquitto: try RealMosquitto()
    case .ntfy: try RealNtfy()
    }
  }
}
