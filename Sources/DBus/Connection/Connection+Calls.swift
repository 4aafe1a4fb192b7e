// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import EventLoop

/// What a call is answered with.
typealias Reply = Result<[Value], CallError>
/// Hears of an answer that came after its call had given up.
typealias LateReplyHandler = @Sendable (Result<[Value], CallError>) -> Void

/// A call that waits for its answer.
struct PendingCall {
  /// Hears exactly once, because whoever tells it has taken the call out of the table; in the middle of libdbus's
  /// dispatch, before the next message is looked at.
  typealias Caller = (Reply) -> Void

  let caller: Caller
  let answerer: Answerer
  let deadline: EventLoop.Deadline
  let whenLate: LateReplyHandler?
}

/// Who may answer a call. On a session bus anybody can send a reply to anybody, and serials are easily guessed.
struct Answerer {
  let destination: BusName
  /// Who owned the destination when it was asked, where somebody here wanted to know that anyway.
  let owner: BusName?
}

/// Somebody who wants to hear of an answer that came too late.
struct LateReply {
  let answerer: Answerer
  let handler: LateReplyHandler
}

extension Connection {
  /// How long a call may take unless it says otherwise.
  public static let usualLimit: Duration = .seconds(25)

  /// The most late answers that are waited for; of more, the oldest are forgotten.
  static let mostLateReplies = 1024

  /// Asks, and returns the arguments of the answer.
  ///
  /// `whenLate` is called with an answer that comes after the time limit: the peer may have done what it was asked.
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

  /// Asks without wanting an answer; returns when the message is on its way.
  public func post(_ call: MethodCall) throws(BusError) {
    let transport = try openTransportForSending()
    try send(MessageHeader(call, wantsReply: false), nextSerial(), call.arguments, on: transport)
  }

  /// Sends a signal, to everybody who listens or to its destination only.
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

  /// Ours, not libdbus's, and the same count through all reconnections: what is left of a call on an earlier
  /// transport, its cancellation say, must not hit another call on this one.
  func nextSerial() -> UInt32 {
    lastSerial = lastSerial == .max ? 1 : lastSerial + 1
    return lastSerial
  }

  // MARK: Asking

  /// Suspends the task until what `begin` started has answered, or the task is cancelled.
  func awaitReply(
    to call: MethodCall,
    _ begin: (UInt32, @escaping PendingCall.Caller) throws(BusError) -> Void
  ) async throws(CallError) -> [Value] {
    if Task.isCancelled { throw .failed(Self.cancellation(of: call)) }
    let serial = nextSerial()
    let slot = ReplySlot()
    do throws(BusError) { try begin(serial) { slot.fill($0) } } catch { throw .failed(error) }
    let reply: Reply = await withTaskCancellationHandler {
      // Named, because a closure that does not capture the actor would not be on it.
      await loop.withContinuation(isolation: self) { slot.wait($0) }
    } onCancel: {
      perform { $0.giveUp(serial, Self.cancellation(of: call)) }
    }
    return try reply.get()
  }

  /// Sends a call and notes who waits for it; where it throws, nobody was noted.
  func begin(
    _ call: MethodCall, _ serial: UInt32, on transport: Transport, limit: Duration,
    whenLate: LateReplyHandler? = nil, _ caller: @escaping PendingCall.Caller
  ) throws(BusError) {
    try send(MessageHeader(call, wantsReply: true), serial, call.arguments, on: transport)
    // The answer cannot be here yet: messages come out of the transport only in turns of the loop.
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

  /// Asks on behalf of the connection itself, whoever of its users gives up meanwhile.
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

  /// The bus itself answers for whoever is not there, or goes away; who owns a name that nobody tracks is not known.
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
