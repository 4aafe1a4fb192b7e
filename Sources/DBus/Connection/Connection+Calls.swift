// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import EventLoop

/// The result of a call. No `Result`, because the runtime would search all conformances of the program for that of its
/// error.
enum Reply {
  case success(ReceivedReply)
  case failure(CallError)

  func get() throws(CallError) -> ReceivedReply {
    switch self {
    case .success(let reply): return reply
    case .failure(let error): throw error
    }
  }

  func read<Input, Output>(_ method: MethodDescription<Input, Output>) -> Result<Output, CallError> {
    do throws(CallError) { return .success(try get().read(method.output, of: method.name)) } catch {
      return .failure(error)
    }
  }
}

/// Receives an answer that came after its call had timed out.
typealias LateReplyHandler = @Sendable (Reply) -> Void

/// The peer that may answer a call. On a session bus any peer can send a reply to any other, and serials are easy to
/// guess.
struct Answerer {
  let destination: BusName
  /// The owner of the destination at the time of the call, if that name is tracked.
  let owner: BusName?
}

/// A call that was sent; ``Connection/reply(to:)`` waits for its answer.
struct SentCall: Sendable {
  let member: MemberName?
  let serial: UInt32
  let slot = ReplySlot()

  init(_ call: MessageHeader, _ serial: UInt32) {
    member = call.member
    self.serial = serial
  }
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

  /// Calls a method, and returns its results.
  ///
  ///     let owner = try await bus.call(BusMethods.getNameOwner, of: .bus, "org.freedesktop.Notifications")
  ///
  /// An answer with other types than the description's is an error; results behind them are ignored.
  @discardableResult
  public func call<each Argument: BusType, Output>(
    _ method: MethodDescription<(repeat each Argument), Output>, of object: RemoteObject,
    _ arguments: repeat each Argument, limit: Duration = usualLimit
  ) async throws(CallError) -> Output {
    let sent = try begin(MessageHeader(method.name, of: object), method.input, limit, repeat each arguments)
    return try await reply(to: sent).read(method.output, of: method.name)
  }

  /// Calls a method in the same way. `whenLate` receives an answer that comes after the time limit: the peer may have
  /// carried out the call.
  @discardableResult
  public func call<each Argument: BusType, Output>(
    _ method: MethodDescription<(repeat each Argument), Output>, of object: RemoteObject,
    _ arguments: repeat each Argument, limit: Duration = usualLimit,
    whenLate: @escaping @Sendable (Result<Output, CallError>) -> Void
  ) async throws(CallError) -> Output {
    let sent = try begin(
      MessageHeader(method.name, of: object), method.input, limit, whenLate: { whenLate($0.read(method)) },
      repeat each arguments)
    return try await reply(to: sent).read(method.output, of: method.name)
  }

  /// Calls a method without an answer; returns when the message is queued.
  public func post<each Argument: BusType, Output>(
    _ method: MethodDescription<(repeat each Argument), Output>, of object: RemoteObject,
    _ arguments: repeat each Argument
  ) throws(BusError) {
    let transport = try openTransportForSending()
    try send(
      MessageHeader(method.name, of: object, wantsReply: false), nextSerial(), method.input, on: transport,
      repeat each arguments)
  }

  /// Sends a signal to all listeners, or only to its destination.
  public func emit(_ signal: Signal) throws(BusError) {
    try send(MessageHeader(signal), nextSerial(), values: signal.arguments, on: try openTransportForSending())
  }

  /// Sends a message with these arguments. No closure writes them: it would look up the type of their tuple once for each
  /// argument.
  private func send<each Argument: BusType>(
    _ header: MessageHeader, _ serial: UInt32, _ description: Arguments<(repeat each Argument)>,
    on transport: Transport, _ arguments: repeat each Argument
  ) throws(BusError) {
    var writer = try WireWriter(header, serial: serial, description.signature)
    repeat try (each arguments).write(to: &writer)
    try send(&writer, header, serial, on: transport, values: description.pack((repeat each arguments)))
  }

  /// Sends a message with these arguments, as a tuple.
  func send<Values>(
    _ header: MessageHeader, _ serial: UInt32, _ description: Arguments<Values>, on transport: Transport,
    tuple values: Values
  ) throws(BusError) {
    var writer = try WireWriter(header, serial: serial, description.signature)
    try description.write(values, to: &writer)
    try send(&writer, header, serial, on: transport, values: description.pack(values))
  }

  /// Sends a message with arguments whose types are known only when the program runs.
  func send(
    _ header: MessageHeader, _ serial: UInt32, values: [Value], on transport: Transport
  ) throws(BusError) {
    var writer = try WireWriter(header, serial: serial, try WireWriter.signature(of: values))
    try writer.add(values)
    try send(&writer, header, serial, on: transport, values: values)
  }

  /// Completes a message, and sends it. libdbus makes those with descriptors, from the same arguments as values.
  private func send(
    _ writer: inout WireWriter, _ header: MessageHeader, _ serial: UInt32, on transport: Transport,
    values: @autoclosure () -> [Value]
  ) throws(BusError) {
    try writer.finish(limit: options.longestMessage)
    if writer.unixFDs == 0 {
      try transport.send(writer.bytes)
    } else {
      try transport.send(try MessageHandle.make(header, serial: serial, values()))
    }
  }

  func openTransportForSending() throws(BusError) -> Transport {
    switch phase {
    case .open(let transport, _): return transport
    case .closed(let error): throw error
    case .connecting, .waiting:
      throw BusError(.disconnected, "the connection to the bus at '\(address)' is being restored")
    }
  }

  func openTransport() throws(CallError) -> Transport {
    do throws(BusError) { return try openTransportForSending() } catch { throw .failed(error) }
  }

  /// Our own numbers, which continue through reconnections: a leftover of a call on an earlier transport, such as its
  /// cancellation, must not affect another call on this one.
  func nextSerial() -> UInt32 {
    lastSerial = lastSerial == .max ? 1 : lastSerial + 1
    return lastSerial
  }

  // MARK: Calling

  /// Sends a call, unless the task was cancelled; ``reply(to:)`` waits for the answer.
  private func begin<each Argument: BusType>(
    _ call: MessageHeader, _ input: Arguments<(repeat each Argument)>, _ limit: Duration,
    whenLate: LateReplyHandler? = nil, _ arguments: repeat each Argument
  ) throws(CallError) -> SentCall {
    let transport = try openTransport()
    let sent = SentCall(call, try callSerial(of: call))
    do throws(BusError) { try send(call, sent.serial, input, on: transport, repeat each arguments) } catch {
      throw .failed(error)
    }
    expectReply(to: call, sent.serial, limit: limit, whenLate: whenLate) { sent.slot.fill($0) }
    return sent
  }

  /// The same with values.
  ///
  /// - Parameter first: gets the answer inside libdbus's dispatch, before the next message is processed.
  func begin(
    _ call: MessageHeader, values: [Value], _ limit: Duration, on transport: Transport,
    whenLate: LateReplyHandler? = nil, first: ((Reply) -> Reply)? = nil
  ) throws(CallError) -> SentCall {
    let sent = SentCall(call, try callSerial(of: call))
    do throws(BusError) { try send(call, sent.serial, values: values, on: transport) } catch { throw .failed(error) }
    expectReply(to: call, sent.serial, limit: limit, whenLate: whenLate) { sent.slot.fill(first?($0) ?? $0) }
    return sent
  }

  func callSerial(of call: MessageHeader) throws(CallError) -> UInt32 {
    if Task.isCancelled { throw .failed(Self.cancellation(of: call.member)) }
    return nextSerial()
  }

  /// Suspends the task until a call is answered, or the task is cancelled.
  func reply(to sent: SentCall) async throws(CallError) -> ReceivedReply {
    let (serial, member) = (sent.serial, sent.member)
    await withTaskCancellationHandler {
      // Named, because a closure that does not capture the actor would not run on it.
      await loop.withUncheckedContinuation(isolation: self) { sent.slot.wait($0) }
    } onCancel: {
      perform { $0.giveUp(serial, Self.cancellation(of: member)) }
    }
    return try sent.slot.reply.get()
  }

  /// Registers the handler of a call that has just been sent: the answer cannot have arrived yet, because the transport
  /// delivers messages only in turns of the loop.
  func expectReply(
    to call: MessageHeader, _ serial: UInt32, limit: Duration, whenLate: LateReplyHandler? = nil,
    _ caller: @escaping PendingCall.Caller
  ) {
    // Every call has both.
    let (destination, member) = (call.destination ?? .bus, call.member)
    let deadline = loop.schedule(after: limit) { [weak self] in
      self?.assumeIsolated {
        $0.giveUp(
          serial, BusError(.timedOut, "'\(destination)' did not answer '\(member?.text ?? "")' in \(limit)"))
      }
    }
    let answerer = Answerer(destination: destination, owner: owners.isEmpty ? nil : owners[destination]?.current)
    pendingCalls.add(
      PendingCall(caller: caller, answerer: answerer, deadline: deadline, whenLate: whenLate), serial)
  }

  /// Makes a call of the connection itself to the bus, which continues if the user that needed it gives up.
  func ask<each Argument: BusType, Output>(
    _ method: MethodDescription<(repeat each Argument), Output>, _ arguments: repeat each Argument,
    whenLate: (@Sendable (Result<Output, CallError>) -> Void)? = nil,
    _ whenDone: @escaping (Result<Output, CallError>) -> Void
  ) throws(BusError) {
    let transport = try openTransportForSending()
    let (header, serial) = (MessageHeader(method.name, of: .bus), nextSerial())
    try send(header, serial, method.input, on: transport, repeat each arguments)
    let late = whenLate.map { whenLate -> LateReplyHandler in { whenLate($0.read(method)) } }
    expectReply(to: header, serial, limit: Self.usualLimit, whenLate: late) { whenDone($0.read(method)) }
  }

  private static func cancellation(of member: MemberName?) -> BusError {
    BusError(.cancelled, "the call '\(member?.text ?? "")' was cancelled")
  }

  // MARK: Answers

  private func giveUp(_ serial: UInt32, _ error: BusError) {
    guard let call = pendingCalls.remove(serial) else { return }
    call.deadline.cancel()
    if let handler = call.whenLate {
      lateReplies[serial] = LateReply(answerer: call.answerer, handler: handler)
      if lateReplies.count > Self.mostLateReplies, let oldest = lateReplies.keys.min() { lateReplies[oldest] = nil }
    }
    call.caller(.failure(.failed(error)))
  }

  func receiveReply(_ message: borrowing MessageReader) {
    let serial = message.replySerial
    if let call = pendingCalls[serial] {
      guard mayAnswer(message, call.answerer) else { return }
      _ = pendingCalls.remove(serial)
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
      guard let name = message.errorName else { return .success(ReceivedReply(message, on: loop)) }
      return .failure(.refused(RemoteError(name, try message.arguments().first?.string ?? "")))
    } catch {
      return .failure(.failed(error))
    }
  }

  func failCalls(_ error: BusError) {
    let calls = pendingCalls.removeAll()
    lateReplies = [:]
    for call in calls {
      call.deadline.cancel()
      call.caller(.failure(.failed(error)))
    }
  }
}
