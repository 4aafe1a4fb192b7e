// SPDX-License-Identifier: Apache-2.0
import DBus
import Synchronization
import TestSupport

/// Records the observations of client, server and handlers in one order.
final class Recorder: Sendable {
  private let log = Mutex<[History.Event]>([])

  var events: [History.Event] { log.withLock { $0 } }

  func add(_ event: History.Event) { log.withLock { $0.append(event) } }

  /// A `Notify` that the server received.
  func add(_ posted: ScriptedServer.Posted) {
    add(.posted(posted.summary, replaces: posted.replaces, poster: posted.poster.text, at: wallMilliseconds()))
  }

  /// The requests that must be posted and have not been.
  var missing: Set<String> {
    var missing: Set<String> = []
    for event in events {
      switch event {
      case .accepted(let id, _): missing.insert(id)
      case .cancelTried(let id): missing.remove(id)
      default: break
      }
    }
    for case .posted(let id, _, _, _) in events { missing.remove(id) }
    return missing
  }
}
