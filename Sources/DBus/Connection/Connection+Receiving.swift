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
    let key = nextKey()
    // Whoever may take our names can make many events; a reader who is far behind loses the oldest.
    let (stream, continuation) = AsyncStream.makeStream(
      of: ConnectionEvent.self, bufferingPolicy: .bufferingNewest(256))
    if case .closed = phase {
      continuation.finish()
      return stream
    }
    eventContinuations[key] = continuation
    continuation.onTermination = { [weak self] _ in
      self?.perform { $0.eventContinuations[key] = nil }
    }
    return stream
  }

  func tell(_ event: ConnectionEvent) {
    for continuation in eventContinuations.values { continuation.yield(event) }
  }

  /// Sends each message to whom it concerns. Called inside libdbus's dispatch: nothing here may wait.
  func receive(_ message: borrowing MessageReader) {
    let size = message.size(upTo: Self.large)
    if size > Self.large { giveMemoryBackLater() }
    switch message.kind {
    case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR: receiveReply(message)
    case DBUS_MESSAGE_TYPE_SIGNAL: receiveSignal(message, size: size)
    case DBUS_MESSAGE_TYPE_METHOD_CALL: receiveCall(message, size: size)
    default: break  // the specification: ignore what you do not know
    }
  }

  /// From so many bytes on a message is large: what it took is worth giving back.
  static let large = 1 << 20

  /// Also what a message took that was refused: libdbus reads and checks the whole of it in any case.
  private func giveMemoryBackLater() {
    guard options.givesMemoryBack, trimming == nil else { return }
    trimming = loop.schedule(after: .seconds(1)) { [weak self] in
      self?.assumeIsolated { connection in
        connection.trimming = nil
        if connection.room.isEmpty { ProcessMemory.trim() } else { connection.giveMemoryBackLater() }
      }
    }
  }

  private func receiveSignal(_ message: borrowing MessageReader, size: Int) {
    let limit = options.longestSignal
    // What is large was counted to there only.
    guard size <= limit, size <= Self.large || message.size(upTo: limit) <= limit else { return }
    guard let path = message.path, let interface = message.interface, let member = message.member else { return }
    guard let sender = message.sender else {
      // Only libdbus itself sends without a sender, and only this: it has noticed that the socket is closed.
      if message.isDisconnection { busWentAway() }
      return
    }
    route(message, path, interface, member, from: sender)
  }

  private func busWentAway() {
    switch phase {
    case .connecting(let transport):
      transport.close()
      failCalls(
        BusError(.disconnected, "the bus at '\(address)' closed the connection at once; it may belong to another user"))
    // Whoever is connecting hears it from the call that has just failed.
    case .open(let transport, _):
      let error = BusError(.disconnected, "the connection to the bus at '\(address)' was lost")
      if isComplete { tell(.disconnected) }
      if options.reconnects { lose(transport, error) } else { shut(error) }
    case .waiting, .closed: break
    }
  }
}
