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
      try? emit(
        Signal(StandardInterfaces.interfacesRemoved, manager, StandardInterfaces.objectManager, path, [name.text]))
    }
  }

  /// Answers all calls from now on with an error.
  public func refuseCalls(with error: RemoteError) { refusal = error }

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
      if let refusal { throw refusal }
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
      let call = IncomingCall(sender: sender, path: path, interface: table.name, member: member, size: size)
      let content: CallQueue.Content
      do throws(RemoteError) {
        content = try self.content(of: message, size, sender, for: method)
      } catch {
        queue.remove(sender)
        throw error
      }
      let waiting = CallQueue.Waiting(call: call, content: content, address: address, work: bounds.work)
      if queue.mayBegin(waiting, at: EventLoop.Clock.monotonic.now) {
        begin(waiting)
      } else {
        queue.add(waiting)
        beginLater()
      }
    } catch {
      refuse(address, error, on: transport)
    }
  }

  /// Reads short arguments. Long ones are held until the call begins, or until its handler reads them.
  private func content(
    of message: borrowing MessageReader, _ size: Int, _ sender: BusName, for method: Method
  ) throws(RemoteError) -> CallQueue.Content {
    // While descriptors are held, libdbus may stop reading.
    if size < HeldRoom.shortest || message.hasDescriptors {
      var reader = ArgumentReader(message)
      do throws(BusError) { return .read(try method.read(&reader)) } catch { throw RemoteError(unreadable: error) }
    }
    guard room.hasRoom(for: size, of: sender) else {
      throw RemoteError(.limitsExceeded, "too many long calls are waiting to be read; wait for their answers")
    }
    let held = HeldMessage(message, of: sender, size: size, in: room, on: loop)
    return method.hold.map { .read($0(held)) } ?? .held(held, method)
  }

  // MARK: Calls in progress

  /// Begins the handler in this turn, so that handlers begin in the order of the calls. The task ends with its answer.
  private func begin(_ waiting: CallQueue.Waiting) {
    let (call, address) = (waiting.call, waiting.address)
    let run: Method.Run
    do throws(BusError) {
      switch waiting.content {
      case .read(let read): run = read
      case .held(let message, let method):
        run = try message.read { (reader) throws(BusError) in try method.read(&reader) }
      }
    } catch {
      let refusal = RemoteError(unreadable: error)
      run = { connection, _, address in connection.refuse(address, refusal) }
    }
    _ = Task.immediate {
      await run(self, call, address)
      self.queue.end(call)
      if !self.queue.isEmpty { self.beginWaitingCalls() }
    }
  }

  private func beginWaitingCalls() {
    // A call that is answered while it begins ends inside the loop below.
    guard !isBeginningCalls else { return }
    isBeginningCalls = true
    while let waiting = queue.next() {
      begin(waiting)
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

  /// Runs a handler, and answers the call with its results.
  func answer<Output>(
    _ address: ReplyAddress, _ output: Arguments<Output>, _ handler: (isolated Connection) async throws -> Output
  ) async {
    do {
      let results = try await handler(self)
      // The bus, or the caller, may have disconnected in the meantime.
      guard address.wantsReply, case .open(let transport, _) = phase else { return }
      do throws(BusError) {
        try send(MessageHeader(answering: address), nextSerial(), output, on: transport, tuple: results)
      } catch {
        throw RemoteError(error.code == .tooLarge ? .limitsExceeded : .failed, error.message)
      }
    } catch let error as RemoteError {
      refuse(address, error)
    } catch let error as any Refusal {
      refuse(address, error.refusal)
    } catch {
      refuse(address, RemoteError(.failed, "\(error)"))
    }
  }

  private func refuse(_ address: ReplyAddress, _ error: RemoteError) {
    if case .open(let transport, _) = phase { refuse(address, error, on: transport) }
  }

  private func refuse(_ address: ReplyAddress, _ error: RemoteError, on transport: Transport) {
    guard address.wantsReply else { return }
    // The text may quote the caller's input: a NUL would be refused, and a very long text is no help.
    let text = String(String.UnicodeScalarView(error.message.unicodeScalars.prefix(4096).filter { $0 != "\0" }))
    try? send(
      MessageHeader(answering: address, refusal: error.name), nextSerial(), values: [.string(text)], on: transport)
  }

  // MARK: Standard interfaces

  private func standardTables(at path: ObjectPath) -> [Interface] {
    var tables = [Interface.introspectable, .peer]
    guard let object = objects[path] else { return tables }
    if !object.interfaces.isEmpty { tables.append(.properties) }
    if object.isManager { tables.append(.objectManager) }
    return tables
  }

  func introspection(at path: ObjectPath) -> String {
    let own = objects[path]?.interfaces.values.sorted { $0.name < $1.name } ?? []
    return Introspection.document(of: own + standardTables(at: path), children: objects.children(of: path))
  }
}
