// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import EventLoop

/// What happened to a connection as a whole.
public enum ConnectionEvent: Hashable, Sendable {
  /// It is there again, under a new unique name; names, match rules and objects are in place.
  case reconnected(BusName)
  /// It is gone; whether it comes back is for ``Connection/Options/reconnects`` to say.
  case disconnected
  /// A name that was asked for is ours.
  case acquired(BusName)
  /// A name that was ours belongs to somebody else.
  case lost(BusName)
}

extension Connection {
  /// What happens to the connection from now on; the sequence ends when it is closed.
  public func events() -> AsyncStream<ConnectionEvent> {
    lastSubscription += 1
    let key = lastSubscription
    return AsyncStream { continuation in
      eventContinuations[key] = continuation
      continuation.onTermination = { [weak self] _ in
        self?.perform { $0.eventContinuations[key] = nil }
      }
    }
  }

  func tell(_ event: ConnectionEvent) {
    for continuation in eventContinuations.values { continuation.yield(event) }
  }

  /// Sends each message to whom it concerns. Called inside libdbus's dispatch: nothing here may wait.
  func receive(_ message: borrowing MessageReader) {
    switch message.kind {
    case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR: receiveReply(message)
    case DBUS_MESSAGE_TYPE_SIGNAL: receiveSignal(message)
    case DBUS_MESSAGE_TYPE_METHOD_CALL: receiveCall(message)
    default: break  // the specification: ignore what you do not know
    }
  }

  private func receiveSignal(_ message: borrowing MessageReader) {
    guard let path = message.path, let interface = message.interface, let member = message.member else { return }
    guard let sender = message.sender else {
      // Only libdbus itself sends without a sender, and only this: it has noticed that the socket is closed.
      if message.isDisconnection { busWentAway() }
      return
    }
    route(message, path, interface, member, from: sender)
  }

  private func busWentAway() {
    let error = BusError(.disconnected, "the bus at '\(address)' went away")
    guard case .open(let transport, _) = phase, options.reconnects else { return shut(error) }
    transport.close()
    failCalls(error)
    lateReplies = [:]
    // Whoever watches an owner hears that it is gone, which from here is what it is.
    for name in owners.keys { setOwner(nil, of: name) }
    tell(.disconnected)
    waitToReconnect(attempts: 0)
  }

  // MARK: Coming back

  /// 0.1 s, 0.2 s … 30 s, each a little longer or shorter, so that the clients of a bus do not return all at once.
  private func waitToReconnect(attempts: Int) {
    let seconds = min(0.1 * Double(1 << min(attempts, 9)), 30) * Double.random(in: 0.8...1.2)
    let deadline = loop.schedule(after: .seconds(seconds)) { [weak self] in
      self?.assumeIsolated { connection in
        // The task ends with the attempt; `shut` in the middle of it makes the attempt fail.
        _ = Task { await connection.reconnect(attempts: attempts) }
      }
    }
    phase = .waiting(deadline, attempts: attempts)
  }

  private func reconnect(attempts: Int) async {
    guard case .waiting = phase else { return }
    do throws(CallError) {
      try await connect()
      for rule in matchCounts.keys { try await call(.toBus("AddMatch", [.string(rule)])) }
      for name in owners.keys { try await resolveOwner(of: name) }
      for (name, nameOptions) in requestedNames { try await claim(name, nameOptions) }
      if let uniqueName { tell(.reconnected(uniqueName)) }
    } catch {
      if case .closed(let reason) = phase, reason.code == .closed { return }
      if case .open(let transport, _) = phase { transport.close() }
      waitToReconnect(attempts: attempts + 1)
    }
  }
}
