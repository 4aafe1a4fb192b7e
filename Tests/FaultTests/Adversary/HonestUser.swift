// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport

/// Who sits before the screen: clicks some of what honest callers show, and lets everything else expire.
final class HonestUser: Sendable {
  private let server: ScriptedServer
  private let recorder: Recorder
  private let callers: HonestCallers
  private let clicks = Mutex<[UInt32: HonestCallers.Start]>([:])
  private let pressed = Mutex<Set<String>>([])
  private let seen = Mutex<[String: Int]>([:])
  /// A notification has been shown, and the user has reacted.
  let news = Inbox<String>()

  init(_ server: ScriptedServer, _ recorder: Recorder, _ callers: HonestCallers) {
    self.server = server
    self.recorder = recorder
    self.callers = callers
  }

  /// The ids of what was clicked.
  var clicked: Set<String> { pressed.withLock { $0 } }

  /// The titles of what others than honest callers had shown, and the place of the last time among them.
  var titles: [String: Int] { seen.withLock { $0 } }

  /// Looks at the screen until the task is cancelled.
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
        // Notifications on the screen can be answered; the screen holds this number.
        if others.count > 100 { try await server.tellClosed(others.removeFirst(), reason: 1) }
        continue
      }
      recorder.add(posted)
      if posted.keys.contains("go"), Bool.random(using: &numbers) {
        pressed.withLock { _ = $0.insert(posted.summary) }
        clicks.withLock { $0[posted.number] = callers.start() }
        try await server.press(posted.number, "go")
        // Some servers tell it twice.
        if Bool.random(using: &numbers) { try await server.press(posted.number, "go") }
      } else {
        try await server.tellClosed(posted.number, reason: 1)
      }
      news.put(posted.summary)
    }
  }

  /// Measures each click until the center, which has understood it, takes the notification from the screen.
  func measure() async {
    while !Task.isCancelled {
      guard let number = try? await server.closed.next(within: .seconds(20)) else { continue }
      guard let start = clicks.withLock({ $0.removeValue(forKey: number) }) else { continue }
      callers.add("click", since: start)
    }
  }

  /// How many clicks the center has not answered yet.
  var unansweredClicks: Int { clicks.withLock { $0.count } }
}
