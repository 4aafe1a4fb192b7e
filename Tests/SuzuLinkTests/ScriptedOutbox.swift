// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import Synchronization
import TestSupport

/// The outbox of a scripted center: the messages that it hands to `suzu-link`, and the outcomes that `suzu-link`
/// reports.
final class ScriptedOutbox: Sendable {
  struct Item: Sendable {
    let number: UInt64
    var link: String?
    var title = "Pill"
    var body = "Take it"
    var level = "timeSensitive"
    var url: String?
    /// A call of a server instead.
    var call: [String: Value]?
  }

  private struct State {
    var items: [Item] = []
    var carriers: Set<BusName> = []
    var isDown = false
  }

  private let state = Mutex(State())
  /// The numbers that were taken; the outcomes, such as `1 sent` or `2 waiting home: …`.
  let taken = Inbox<UInt64>()
  let finished = Inbox<String>()

  /// Adds a message; returns the programs that must get the signal.
  func put(_ item: Item) -> [BusName] {
    state.withLock { state in
      state.items.append(item)
      return Array(state.carriers)
    }
  }

  /// Removes a message, as if its notification was answered.
  func remove(_ number: UInt64) { state.withLock { $0.items.removeAll { $0.number == number } } }

  /// Lets the methods that report an outcome fail, or work again.
  func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

  private static let gone = RemoteError("dev.suzu.Error.NotFound", "gone")

  var methods: [Method] {
    [
      Method(CenterMethods.outgoing) { _, call in
        self.state.withLock { state in
          state.carriers.insert(call.sender)
          return state.items.map { item in
            var row: [String: Value] = ["number": .uint64(item.number)]
            row["link"] = item.link.map { .string($0) }
            if item.call != nil { row["kind"] = "http" }
            return row
          }
        }
      },
      Method(CenterMethods.takeOutgoing) { _, number, _ in
        guard let item = self.state.withLock({ $0.items.first { $0.number == number } }) else { throw Self.gone }
        self.taken.put(number)
        if let call = item.call { return call }
        var words: [String: Value] = [
          "app": "org.example.Tea", "id": "pill", "delivery": .uint64(number + 100), "title": .string(item.title),
          "body": .string(item.body), "level": .string(item.level),
        ]
        words["url"] = item.url.map { .string($0) }
        return words
      },
      Method(CenterMethods.finishOutgoing) { _, number, state, detail, _ in
        try self.state.withLock { own in
          if own.isDown { throw RemoteError("dev.suzu.Error.Unavailable", "down") }
          if state != "waiting" { own.items.removeAll { $0.number == number } }
        }
        self.finished.put("\(number) \(state)" + (detail.isEmpty ? "" : " \(detail)"))
      },
    ]
  }
}
