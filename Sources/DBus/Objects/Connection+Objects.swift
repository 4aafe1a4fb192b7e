// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

extension Connection {
  /// Exports `interface` at `path`, together with the standard ones. Export before requesting a name: programs that
  /// wait for the name call at once.
  public func export(_ interface: Interface, at path: ObjectPath) throws(BusError) {
    if case .closed(let error) = phase { throw error }
    try objects.add(interface, at: path)
    if let manager = objects.manager(above: path) {
      // Reading the properties may take several turns of the loop; the task ends with it. It starts at once, so that
      // signals about one object are sent in order unless a getter waits.
      _ = Task.immediate { await announce(interface, at: path, by: manager) }
    }
  }

  /// Removes an interface.
  public func withdraw(_ name: InterfaceName, at path: ObjectPath) {
    guard objects[path]?.interfaces[name] != nil else { return }
    objects.remove(name, at: path)
    if let manager = objects.manager(above: path) {
      let removed: [Value] = [.objectPath(path), .strings([name.text])]
      try? emit(Signal(manager, "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved", removed))
    }
  }

  /// Makes the object at `path` answer for all objects below it.
  public func exportObjectManager(at path: ObjectPath) {
    objects.addManager(at: path)
  }

  // MARK: Answering

  /// - Parameter size: of the arguments; large ones are counted only up to the limit.
  func receiveCall(_ message: borrowing MessageReader, size: Int) {
    guard case .open(let transport, _) = phase, let sender = message.sender, let path = message.path,
      let member = message.member
    else { return }
    let address = ReplyAddress(sender: sender, serial: message.serial, wantsReply: message.wantsReply)
    do throws(RemoteError) {
      let (table, method) = try method(member, of: message.interface, at: path)
      guard message.hasSignature(method.signature) else {
        throw RemoteError(
          .invalidArgs, "'\(member)' takes '\(method.signature)', not '\(message.signature)'")
      }
      if !method.takesDescriptors, message.hasDescriptors {
        throw RemoteError(.invalidArgs, "'\(member)' takes no descriptors; send none")
      }
      let bounds = method.bounds ?? table.bounds
      let size = size > Self.large ? message.size(upTo: bounds.bytes) : size
      try bounds.check(size, of: member)
      try queue.count(sender)
      let call: IncomingCall
      do throws(RemoteError) {
        call = IncomingCall(
          sender: sender, path: path, interface: table.name, member: member, size: size,
          content: try content(of: message, size, sender))
      } catch {
        queue.remove(sender)
        throw error
      }
      let waiting = CallQueue.Waiting(call: call, method: method, address: address, work: bounds.work)
      if queue.mayBegin(waiting, at: EventLoop.Clock.monotonic.now) {
        begin(call, with: method, to: address)
      } else {
        queue.add(waiting)
        beginLater()
      }
    } catch {
      refuse(address, error, on: transport)
    }
  }

  /// Converts short arguments to values. Long ones are held until the handler needs them.
  private func content(
    of message: borrowing MessageReader, _ size: Int, _ sender: BusName
  ) throws(RemoteError) -> IncomingCall.Content {
    // While descriptors are held, libdbus may stop reading.
    if size < HeldRoom.shortest || message.hasDescriptors {
      do throws(BusError) { return .values(try message.arguments()) } catch {
        throw RemoteError(.limitsExceeded, error.message)
      }
    }
    guard room.hasRoom(for: size, of: sender) else {
      throw RemoteError(.limitsExceeded, "too many long calls are waiting to be read; wait for their answers")
    }
    return .held(HeldArguments(message, of: sender, size: size, in: room, on: loop))
  }

  // MARK: Calls in progress

  /// Begins the handler in this turn, so that handlers begin in the order of the calls. The task ends with its answer.
  private func begin(_ call: IncomingCall, with method: Method, to address: ReplyAddress) {
    _ = Task.immediate {
      await self.answer(call, with: method, to: address)
      self.queue.end(call)
      if !self.queue.isEmpty { self.beginWaitingCalls() }
    }
  }

  private func beginWaitingCalls() {
    // A call that is answered while it begins ends inside the loop below.
    guard !isBeginningCalls else { return }
    isBeginningCalls = true
    while let waiting = queue.next() {
      begin(waiting.call, with: waiting.method, to: waiting.address)
    }
    isBeginningCalls = false
    beginLater()
  }

  private func beginLater() {
    guard callTurn == nil, let date = queue.nextTurn(after: EventLoop.Clock.monotonic.now) else { return }
    callTurn = loop.schedule(at: date, on: .monotonic) { [weak self] in
      self?.assumeIsolated { connection in
        connection.callTurn = nil
        connection.queue.beginTurn(at: EventLoop.Clock.monotonic.now)
        connection.beginWaitingCalls()
      }
    }
  }

  private func method(
    _ member: MemberName, of interface: InterfaceName?, at path: ObjectPath
  ) throws(RemoteError) -> (Interface, Method) {
    // The usual call needs no further checks.
    if let interface, let table = objects[path]?.interfaces[interface], let method = table[member] {
      return (table, method)
    }
    if objects.isKnown(path) {
      for table in standardTables(at: path) where interface == nil || table.name == interface {
        if let method = table[member] { return (table, method) }
      }
    }
    return try objects.method(member, of: interface, at: path)
  }

  private func answer(
    _ call: IncomingCall, with method: Method, to address: ReplyAddress
  ) async {
    let outcome: Result<[Value], RemoteError>
    do {
      outcome = .success(try await method.handler(call))
    } catch let error as RemoteError {
      outcome = .failure(error)
    } catch {
      outcome = .failure(RemoteError(.failed, "\(error)"))
    }
    // The bus, or the caller, may have disconnected in the meantime.
    guard address.wantsReply, case .open(let transport, _) = phase else { return }
    switch outcome {
    case .failure(let error): refuse(address, error, on: transport)
    case .success(let results):
      do throws(BusError) {
        try method.check(results)
        try send(MessageHeader(answering: address), nextSerial(), results, on: transport)
      } catch {
        refuse(address, RemoteError(error.code == .tooLarge ? .limitsExceeded : .failed, error.message), on: transport)
      }
    }
  }

  private func refuse(_ address: ReplyAddress, _ error: RemoteError, on transport: Transport) {
    guard address.wantsReply else { return }
    // The text may quote the caller's input: a NUL would be refused, and a very long text is no help.
    let text = String(String.UnicodeScalarView(error.message.unicodeScalars.prefix(4096).filter { $0 != "\0" }))
    try? send(MessageHeader(answering: address, refusal: error.name), nextSerial(), [.string(text)], on: transport)
  }

  // MARK: Standard interfaces

  private func standardTables(at path: ObjectPath) -> [Interface] {
    var tables = [standardInterfaces.introspectable, .peer]
    guard let object = objects[path] else { return tables }
    if !object.interfaces.isEmpty { tables.append(standardInterfaces.properties) }
    if object.isManager { tables.append(standardInterfaces.objectManager) }
    return tables
  }

  func introspection(at path: ObjectPath) -> String {
    let own = objects[path]?.interfaces.values.sorted { $0.name < $1.name } ?? []
    return Introspection.document(of: own + standardTables(at: path), children: objects.children(of: path))
  }
}
