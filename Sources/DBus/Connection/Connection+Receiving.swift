// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import EventLoop

/// An event of the connection as a whole.
public enum ConnectionEvent: Hashable, Sendable {
  /// The connection is restored under a new unique name; names, match rules and objects are in place.
  case reconnected(BusName)
  /// The connection is lost; ``Connection/Options/reconnects`` tells whether it will be restored.
  case disconnected
  /// This connection acquired a requested name.
  case acquired(BusName)
  /// Another connection took over a name of ours.
  case lost(BusName)
}

extension Connection {
  /// Events of the connection from now on; the sequence ends when it is closed.
  public func events() -> AsyncStream<ConnectionEvent> {
    let key = nextKey()
    // A program that may take our names can cause many events; a slow reader loses the oldest.
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

  /// Dispatches each message. Called inside libdbus's dispatch: nothing here may wait.
  func receive(_ message: borrowing MessageReader) {
    let size = message.size(upTo: Self.large)
    if size >= Self.worthReturning { giveMemoryBackLater() }
    switch message.kind {
    case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR: receiveReply(message)
    case DBUS_MESSAGE_TYPE_SIGNAL: receiveSignal(message, size: size)
    case DBUS_MESSAGE_TYPE_METHOD_CALL: receiveCall(message, size: size)
    default: break  // the specification: ignore what you do not know
    }
  }

  /// From this size on, arguments are counted only up to the limit of what receives them.
  static let large = 1 << 20

  /// From this size on, the memory of a message is worth returning to the system. The C library would map each block of
  /// this size alone, and return it at once: see ``ProcessMemory/useOneHeap()``.
  private static let worthReturning = 128 << 10

  /// Applies to refused messages, too, because libdbus reads and checks every message whole.
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
    // The size of a large message was counted only up to that limit.
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
    // A task that is connecting gets the error from its failed call.
    case .open(let transport, _):
      let error = BusError(.disconnected, "the connection to the bus at '\(address)' was lost")
      if isComplete { tell(.disconnected) }
      if options.reconnects { lose(transport, error) } else { shut(error) }
    case .waiting, .closed: break
    }
  }
}
