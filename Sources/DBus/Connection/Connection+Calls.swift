// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import EventLoop

/// The result of a call.
typealias Reply = Result<[Value], CallError>
/// Receives an answer that came after its call had timed out.
typealias LateReplyHandler = @Sendable (Result<[Value], CallError>) -> Void

/// A call without an answer yet.
struct PendingCall {
  /// Called exactly once, because the caller removes the entry from the table first; inside libdbus's dispatch, before
  /// the next message is processed.
  typealias Caller = (Reply) -> Void

  let caller: Caller
  let answerer: Answerer
  let deadline: EventLoop.Deadline
  let whenLate: LateReplyHandler?
}

/// The peer that may answer a call. On a session bus any peer can send a reply to any other, and serials are easy to
/// guess.
struct Answerer {
  let destination: BusName
  /// The owner of the destination at the time of the call, if that name is tracked.
  let owner: BusName?
}

/// A handler for an answer that comes too late.
struct LateReply {
  let answerer: Answerer
  let handler: LateReplyHandler
}

extension Connection {
  /// The default time limit of a call.
  public static let usualLimit: Duration = .seconds(25)

  /// The maximum number of calls whose late answers are still expected; beyond it, the oldest are dropped.
  static let mostLateReplies = 1024

  /// Calls a method, and returns the arguments of the answer.
  ///
  /// `whenLate` receives an answer that comes after the time limit: the peer may have carried out the call.
  @discardableResult
  public func call(
    _ call: MethodCall, limit: Duration = usualLimit,
    whenLate: (@Sendable (Result<[Value], CallError>) -> Void)? = nil
  ) async throws(CallError) -> [Value] {
    let transport = try openTransport()
    return try await awaitReply(to: call) { serial, caller throws(BusError) in
      try begin(call, serial, on: transport, limit: limit, whenLate: whenLate, caller)
    }
  }

  /// Calls a method without an answer; returns when the message is queued.
  public func post(_ call: MethodCall) throws(BusError) {
    let transport = try openTransportForSending()
    try send(MessageHeader(call, wantsReply: false), nextSerial(), call.arguments, on: transport)
  }

  /// Sends a signal to all listeners, or only to its destination.
  public func emit(_ signal: Signal) throws(BusError) {
    try send(MessageHeader(signal), nextSerial(), signal.arguments, on: try openTransportForSending())
  }

  func send(
    _ header: MessageHeader, _ serial: UInt32, _ values: [Value], on transport: Transport
  ) throws(BusError) {
    try transport.send(try MessageHandle.make(header, serial: serial, values, limit: options.longestMessage))
  }

  func openTransportForSending() throws(BusError) -> Transport {
    switch phase {
    case .open(let transport, _): return transport
    case .closed(let error): throw error
    case .connecting, .waiting:
      throw BusError(.disconnected, "the connection to the bus at '\(address)' is being restored")
    }
  }

  private func openTransport() throws(CallError) -> Transport {
    do throws(BusError) { return try openTransportForSending() } catch { throw .failed(error) }
  }

  /// Our own numbers, which continue through reconnections: a leftover of a call on an earlier transport, such as its
  /// cancellation, must not affect another call on this one.
  func nextSerial() -> UInt32 {
    lastSerial = lastSerial == .max ? 1 : lastSerial + 1
    return lastSerial
  }

  // MARK: Calling

  /// Suspends the task until the call that `begin` started is answered, or the task is cancelled.
  func awaitReply(
    to call: MethodCall,
    _ begin: (UInt32, @escaping PendingCall.Caller) throws(BusError) -> Void
  ) async throws(CallError) -> [Value] {
    if Task.isCancelled { throw .failed(Self.cancellation(of: call)) }
    let serial = nextSerial()
    let slot = ReplySlot()
    do throws(BusError) { try begin(serial) { slot.fill($0) } } catch { throw .failed(error) }
    let reply: Reply = await withTaskCancellationHandler {
      // Named, because a closure that does not capture the actor would not run on it.
      await loop.withContinuation(isolation: self) { slot.wait($0) }
    } onCancel: {
      perform { $0.giveUp(serial, Self.cancellation(of: call)) }
    }
    return try reply.get()
  }

  /// Sends a call and registers its handler; if it throws, the handler is not registered.
  func begin(
    _ call: MethodCall, _ serial: UInt32, on transport: Transport, limit: Duration,
    whenLate: LateReplyHandler? = nil, _ caller: @escaping PendingCall.Caller
  ) throws(BusError) {
    try send(MessageHeader(call, wantsReply: true), serial, call.arguments, on: transport)
    // The answer cannot have arrived yet: the transport delivers messages only in turns of the loop.
    let destination = call.destination
    let member = call.member
    let deadline = loop.schedule(after: limit) { [weak self] in
      self?.assumeIsolated {
        $0.giveUp(serial, BusError(.timedOut, "'\(destination)' did not answer '\(member)' in \(limit)"))
      }
    }
    let answerer = Answerer(destination: destination, owner: owners.isEmpty ? nil : owners[destination]?.current)
    pendingCalls[serial] = PendingCall(caller: caller, answerer: answerer, deadline: deadline, whenLate: whenLate)
  }

  /// Makes a call of the connection itself, which continues if the user that needed it gives up.
  func ask(
    _ call: MethodCall, whenLate: LateReplyHandler? = nil,
    _ whenDone: @escaping (Reply) -> Void
  ) throws(BusError) {
    let transport = try openTransportForSending()
    try begin(
      call, nextSerial(), on: transport, limit: Self.usualLimit, whenLate: whenLate, whenDone)
  }

  private static func cancellation(of call: MethodCall) -> BusError {
    BusError(.cancelled, "the call '\(call.member)' was cancelled")
  }

  // MARK: Answers

  private func giveUp(_ serial: UInt32, _ error: BusError) {
    guard let call = pendingCalls.removeValue(forKey: serial) else { return }
    call.deadline.cancel()
    if let handler = call.whenLate {
      lateReplies[serial] = LateReply(answerer: call.answerer, handler: handler)
      if lateReplies.count > Self.mostLateReplies, let oldest = lateReplies.keys.min() { lateReplies[oldest] = nil }
    }
    call.caller(.failure(.failed(error)))
  }

  func receiveReply(_ message: borrowing MessageReader) {
    let serial = message.replySerial
    if let index = pendingCalls.index(forKey: serial) {
      guard mayAnswer(message, pendingCalls.values[index].answerer) else { return }
      let call = pendingCalls.remove(at: index).value
      call.deadline.cancel()
      call.caller(reply(in: message))
    } else if let late = lateReplies[serial], mayAnswer(message, late.answerer) {
      lateReplies[serial] = nil
      late.handler(reply(in: message))
    }
  }

  /// The bus itself answers for a peer that does not exist or disconnects. For names that are not tracked, the owner is
  /// unknown.
  private func mayAnswer(_ message: borrowing MessageReader, _ answerer: Answerer) -> Bool {
    if message.isFrom(answerer.destination) || message.isFrom(.bus) { return true }
    if answerer.destination.isUnique || answerer.destination == .bus { return false }
    guard let tracked = owners[answerer.destination], tracked.isReady else { return true }
    return tracked.current.map { message.isFrom($0) } ?? false || answerer.owner.map { message.isFrom($0) } ?? false
  }

  private func reply(in message: borrowing MessageReader) -> Reply {
    do throws(BusError) {
      guard message.size(upTo: options.longestReply) <= options.longestReply else {
        throw BusError(.tooLarge, "the answer is longer than \(options.longestReply) bytes")
      }
      let arguments = try message.arguments()
      guard let name = message.errorName else { return .success(arguments) }
      return .failure(.refused(RemoteError(name, arguments.first?.string ?? "")))
    } catch {
      return .failure(.failed(error))
    }
  }

  func failCalls(_ error: BusError) {
    let calls = pendingCalls
    pendingCalls = [:]
    lateReplies = [:]
    for (_, call) in calls.sorted(by: { $0.key < $1.key }) {
      call.deadline.cancel()
      call.caller(.failure(.failed(error)))
    }
  }
}
