// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Synchronization
import TestSupport

/// Simulates the user: clicks some notifications of honest callers, and lets all others expire.
final class HonestUser: Sendable {
  private let server: ScriptedServer
  private let recorder: Recorder
  private let callers: HonestCallers
  /// The clicks without a response, by the id of the request.
  private let clicks = Mutex<[String: HonestCallers.Start]>([:])
  private let pressed = Mutex<Set<String>>([])
  private let seen = Mutex<[String: Int]>([:])
  /// A notification was shown, and the user has reacted.
  let news = Inbox<String>()

  init(_ server: ScriptedServer, _ recorder: Recorder, _ callers: HonestCallers) {
    self.server = server
    self.recorder = recorder
    self.callers = callers
  }

  /// The ids of clicked notifications.
  var clicked: Set<String> { pressed.withLock { $0 } }

  /// The titles of notifications of other callers, and when each was last shown.
  var titles: [String: Int] { seen.withLock { $0 } }

  /// Watches the screen until the task is cancelled.
  func watch(seed: UInt64) async throws {
    var numbers = SeededNumbers(seed: seed)
    var others: [UInt32] = []
    var place = 0
    while !Task.isCancelled {
      guard let posted = try? await server.posted.next(within: .seconds(20)) else { continue }
      guard posted.summary.wholeMatch(of: /h[0-9]+/) != nil else {
        place += 1
        seen.withLock { [place] in $0[posted.summary] = place }
        others.append(posted.number)
        // The screen holds as many as can be answered.
        if others.count > 100 { try await server.tellClosed(others.removeFirst(), reason: 1) }
        continue
      }
      recorder.add(posted)
      if posted.keys.contains("go"), Bool.random(using: &numbers) {
        pressed.withLock { _ = $0.insert(posted.summary) }
        clicks.withLock { $0[posted.summary] = callers.start() }
        try await server.press(posted.number, "go")
        // The server itself may have been busy with what attackers let it show.
        clicks.withLock { if $0[posted.summary] != nil { $0[posted.summary] = callers.start() } }
        // Some servers report it twice.
        if Bool.random(using: &numbers) { try await server.press(posted.number, "go") }
      } else {
        try await server.tellClosed(posted.number, reason: 1)
      }
      news.put(posted.summary)
    }
  }

  /// Measures each click until another program receives its response. The server would receive the center's answer
  /// behind everything that attackers let it show.
  func measure(on bus: PrivateBus, _ loop: EventLoop) async throws {
    let listener = try await bus.connect(on: loop)
    let signals = try await listener.signals(
      matching: MatchRule(sender: FaultStand.name, interface: FaultStand.interface, member: "Responded"))
    try await listener.call(
      MethodCall(to: FaultStand.name, FaultStand.path, FaultStand.interface, "Watch", [true]))
    for try await signal in signals {
      guard let id = signal.arguments.dropFirst(2).first?.string,
        let start = clicks.withLock({ $0.removeValue(forKey: id) })
      else { continue }
      callers.add("click", since: start)
    }
    await listener.close()
  }
}
