// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// How a connection comes back after a loss.
extension Connection {
  /// Lets go of what went with the bus, and plans the next attempt.
  func lose(_ transport: Transport, _ error: BusError) {
    transport.close()
    queue.removeWaiting()
    isComplete = false
    planAttempt()
    // Whoever watches an owner hears that it is gone, which from here is what it is.
    for tracked in owners.values where tracked.isReady {
      tracked.isMatched = false
      setOwner(nil, of: tracked)
    }
    failCalls(error)
  }

  /// 0.1 s, 0.2 s … 30 s, each a little longer or shorter, so that the clients of a bus do not return all at once.
  private func planAttempt() {
    let seconds = min(0.1 * Double(1 << min(failedAttempts, 9)), 30) * Double.random(in: 0.8...1.2)
    let deadline = loop.schedule(after: .seconds(seconds)) { [weak self] in
      self?.assumeIsolated { connection in
        connection.phase = .waiting(nil)
        // The task ends with the attempt; `shut` in the middle of it makes the attempt fail.
        _ = Task { await connection.attempt() }
      }
    }
    phase = .waiting(deadline)
  }

  private func attempt() async {
    guard case .waiting(nil) = phase else { return }
    do throws(CallError) {
      try await connect()
      try await restore()
      failedAttempts = 0
      isComplete = true
      if let uniqueName { tell(.reconnected(uniqueName)) }
    } catch {
      failedAttempts += 1
      switch phase {
      case .connecting(let transport), .open(let transport, _):
        lose(transport, BusError(.disconnected, error.description))
      case .waiting(nil): planAttempt()
      // It went away again, which has planned the next attempt; or somebody closed it.
      case .waiting, .closed: break
      }
    }
  }

  /// Puts everything in place again. All at once, without an await in between: what others ask for or give up
  /// meanwhile comes after it, as the bus sees it.
  private func restore() async throws(CallError) {
    let outcome: Shared.Outcome = await withCheckedContinuation { continuation in
      let restoration = Restoration(continuation)
      do throws(BusError) {
        // One whose answer was under way has failed with the connection, and is no longer here.
        for text in matches.keys {
          try restoration.add(askForMatch(text) { restoration.answered($0.map { _ in }) })
        }
        for (name, tracked) in owners {
          let text = MatchRule.ownerChanges(of: name).text
          try restoration.add(
            askForMatch(text) { reply in
              if case .success = reply { self.holdsMatch(for: tracked, of: name) }
              restoration.answered(reply.map { _ in })
            })
          try restoration.add(askForOwner(tracked, of: name) { restoration.answered($0) })
        }
        for (name, nameOptions) in requestedNames {
          try restoration.add(
            ask(Self.request(name, nameOptions)) { reply in
              self.renamed(name, reply)
              restoration.answered(reply.map { _ in })
            })
        }
      } catch {
        restoration.answered(.failure(.failed(error)))
      }
      restoration.answered(.success(()))  // for having asked
    }
    try outcome.get()
  }

  private func renamed(_ name: BusName, _ reply: Reply) {
    guard case .success(let arguments) = reply, let answer = try? Self.nameReply(in: arguments) else { return }
    // Somebody took it meanwhile; one that we are queued for comes with an event of its own.
    if answer == .taken || answer == .queued { tell(.lost(name)) }
  }
}

/// Counts the answers of one restoration; resumes its task after the last, or at the first failure.
private final class Restoration {
  private var continuation: CheckedContinuation<Shared.Outcome, Never>?
  private var missing = 1

  init(_ continuation: CheckedContinuation<Shared.Outcome, Never>) {
    self.continuation = continuation
  }

  /// Counts one that was asked for.
  func add(_: Void) { missing += 1 }

  func answered(_ outcome: Shared.Outcome) {
    missing -= 1
    if case .success = outcome, missing > 0 { return }
    continuation?.resume(returning: outcome)
    continuation = nil
  }
}
