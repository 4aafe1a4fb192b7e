// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Reconnection after a loss.
extension Connection {
  /// Discards the state that was tied to the bus, and schedules the next attempt.
  func lose(_ transport: Transport, _ error: BusError) {
    transport.close()
    queue.removeWaiting()
    isComplete = false
    planAttempt()
    // Without the bus, every tracked name has no owner; observers are told so.
    for tracked in owners.values where tracked.isReady {
      tracked.isMatched = false
      setOwner(nil, of: tracked)
    }
    failCalls(error)
  }

  /// 0.1 s, 0.2 s … 30 s, each randomly varied, so that the clients of a bus do not reconnect all at once.
  private func planAttempt() {
    let seconds = min(0.1 * Double(1 << min(failedAttempts, 9)), 30) * Double.random(in: 0.8...1.2)
    let deadline = loop.schedule(after: .seconds(seconds)) { [weak self] in
      self?.assumeIsolated { connection in
        connection.phase = .waiting(nil)
        // The task ends with the attempt; a `shut` during it makes the attempt fail.
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
      // The bus disconnected again, which scheduled the next attempt, or the connection was closed.
      case .waiting, .closed: break
      }
    }
  }

  /// Restores names, rules and owners, without an await in between, so that the bus sees the later requests of other
  /// tasks after these.
  private func restore() async throws(CallError) {
    let outcome: PendingRegistration.Outcome = await withCheckedContinuation { continuation in
      let restoration = Restoration(continuation)
      do throws(BusError) {
        // A rule whose answer was pending has failed with the connection, and is no longer here.
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
            ask(BusMethods.requestName, name, nameOptions.rawValue) { reply in
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

  private func renamed(_ name: BusName, _ reply: Result<UInt32, CallError>) {
    guard case .success(let code) = reply, let answer = NameReply(rawValue: code) else { return }
    // Another program took the name meanwhile; if we are queued for it, an event follows later.
    if answer == .taken || answer == .queued { tell(.lost(name)) }
  }
}

/// Counts the answers of one restoration; resumes its task after the last, or at the first failure.
private final class Restoration {
  private var continuation: CheckedContinuation<PendingRegistration.Outcome, Never>?
  private var missing = 1

  init(_ continuation: CheckedContinuation<PendingRegistration.Outcome, Never>) {
    self.continuation = continuation
  }

  /// Adds one request to the count.
  func add(_: Void) { missing += 1 }

  func answered(_ outcome: PendingRegistration.Outcome) {
    missing -= 1
    if case .success = outcome, missing > 0 { return }
    continuation?.resume(returning: outcome)
    continuation = nil
  }
}
