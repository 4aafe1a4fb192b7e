// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import EventLoop

/// What a call is answered with.
typealias Reply = Result<[Value], CallError>
/// Hears of an answer that came after its call had given up.
typealias LateReplyHandler = @Sendable (Result<[Value], CallError>) -> Void

/// A call that waits for its answer.
struct PendingCall {
  /// Where its task is.
  enum Phase {
    /// On its way to the wait: an `await` may give way to others, and so to the answer, before it begins.
    case sent
    case waiting(CheckedContinuation<Reply, Never>)
    case answered(Reply)
  }

  var phase = Phase.sent
  let deadline: EventLoop.Deadline
  let whenLate: LateReplyHandler?
}

extension Connection {
  /// How long a call may take unless it says otherwise.
  public static let usualLimit: Duration = .seconds(25)

  /// Asks, and returns the arguments of the answer.
  ///
  /// `whenLate` is called with an answer that comes after the time limit: the peer may have done what it was asked.
  @discardableResult
  public func call(
    _ call: MethodCall, limit: Duration = usualLimit,
    whenLate: (@Sendable (Result<[Value], CallError>) -> Void)? = nil
  ) async throws(CallError) -> [Value] {
    try await exchange(call, on: try openTransport(), limit: limit, whenLate: whenLate)
  }

  /// Asks without wanting an answer; returns when the message is on its way.
  public func post(_ call: MethodCall) throws(BusError) {
    let transport = try openTransportForSending()
    let message = try MessageHandle.call(call, limit: options.longestMessage)
    dbus_message_set_no_reply(message.pointer, 1)
    _ = try transport.send(message)
  }

  /// Sends a signal, to everybody who listens or to its destination only.
  public func emit(_ signal: Signal) throws(BusError) {
    let transport = try openTransportForSending()
    _ = try transport.send(try MessageHandle.signal(signal, limit: options.longestMessage))
  }

  func openTransportForSending() throws(BusError) -> Transport {
    switch phase {
    case .open(let transport, _): return transport
    case .closed(let error): throw error
    case .connecting, .waiting: throw BusError(.disconnected, "the bus at '\(address)' is gone for the moment")
    }
  }

  private func openTransport() throws(CallError) -> Transport {
    do throws(BusError) { return try openTransportForSending() } catch { throw .failed(error) }
  }

  func exchange(
    _ call: MethodCall, on transport: Transport, limit: Duration, whenLate: LateReplyHandler? = nil
  ) async throws(CallError) -> [Value] {
    let serial: UInt32
    do throws(BusError) {
      serial = try transport.send(try MessageHandle.call(call, limit: options.longestMessage))
    } catch {
      throw .failed(error)
    }
    let deadline = loop.schedule(after: limit) { [weak self] in
      self?.assumeIsolated {
        $0.giveUp(serial, .timedOut, "\(call.destination) did not answer '\(call.member)' in \(limit)")
      }
    }
    pendingCalls[serial] = PendingCall(deadline: deadline, whenLate: whenLate)
    let reply = await withTaskCancellationHandler {
      await loop.withContinuation { wait(for: serial, $0) }
    } onCancel: {
      perform { $0.giveUp(serial, .cancelled, "the call '\(call.member)' was cancelled") }
    }
    return try reply.get()
  }

  private func wait(for serial: UInt32, _ continuation: CheckedContinuation<Reply, Never>) {
    if case .answered(let reply)? = pendingCalls[serial]?.phase {
      pendingCalls[serial] = nil
      continuation.resume(returning: reply)
    } else {
      pendingCalls[serial]?.phase = .waiting(continuation)
    }
  }

  /// Whether somebody still wanted to know.
  private func answer(_ serial: UInt32, _ reply: @autoclosure () -> Reply) -> Bool {
    guard let call = pendingCalls[serial] else { return false }
    switch call.phase {
    case .answered: return false
    case .sent: pendingCalls[serial]?.phase = .answered(reply())
    case .waiting(let continuation):
      pendingCalls[serial] = nil
      continuation.resume(returning: reply())
    }
    call.deadline.cancel()
    return true
  }

  private func giveUp(_ serial: UInt32, _ code: BusError.Code, _ message: String) {
    let whenLate = pendingCalls[serial]?.whenLate
    if answer(serial, .failure(.failed(BusError(code, message)))) { lateReplies[serial] = whenLate }
  }

  func receiveReply(_ message: borrowing MessageReader) {
    let serial = message.replySerial
    let reply = Self.reply(in: message)
    if !answer(serial, reply) { lateReplies.removeValue(forKey: serial)?(reply) }
  }

  private static func reply(in message: borrowing MessageReader) -> Reply {
    do throws(BusError) {
      let arguments = try message.arguments()
      guard let name = message.errorName else { return .success(arguments) }
      return .failure(.refused(RemoteError(name, arguments.first?.string ?? "")))
    } catch {
      return .failure(.failed(error))
    }
  }

  func failCalls(_ error: BusError) {
    for serial in pendingCalls.keys { _ = answer(serial, .failure(.failed(error))) }
  }
}
