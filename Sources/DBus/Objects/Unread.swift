// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import Synchronization

/// An argument that the handler reads itself, after it has checked whether the caller may send that much.
///
/// The arguments of a long call stay in its message until all of them have been read, or the call has been answered.
public struct Unread<Argument: BusType>: Sendable {
  private enum Content: Sendable {
    case value(Argument)
    case held(HeldArgument<Argument>)
  }

  private let content: Content

  init(_ value: Argument) { content = .value(value) }

  init(_ message: HeldMessage, _ index: Int) { content = .held(HeldArgument(message, index)) }

  /// Reads the argument.
  public func read() throws(RemoteError) -> Argument {
    switch content {
    case .value(let value): return value
    case .held(let held):
      do throws(BusError) { return try held.read() } catch { throw RemoteError(unreadable: error) }
    }
  }

  /// The number of elements of an array; counting stops above `limit`. Long arrays are counted in the message.
  public func count<Element: BusType>(upTo limit: Int) -> Int where Argument == [Element] {
    switch content {
    case .value(let elements): elements.count
    case .held(let held): held.elements().count(upTo: limit)
    }
  }

  /// Reads the elements of an array one by one. Afterwards the argument must not be used in another way.
  public func elements<Element: BusType>() -> ArgumentElements<Element> where Argument == [Element] {
    switch content {
    case .value(let elements): return ArgumentElements(elements)
    case .held(let held):
      defer { held.letGo() }
      return held.elements()
    }
  }
}

/// One argument in a message that is held for it. Once read, it is a value, and the message is released.
private final class HeldArgument<Argument: BusType>: Sendable {
  private enum State {
    case message(HeldMessage)
    case read(Argument)
    /// The elements are read one by one.
    case gone
  }

  private let index: Int
  private let state: Mutex<State>

  init(_ message: HeldMessage, _ index: Int) {
    self.index = index
    state = Mutex(.message(message))
  }

  func read() throws(BusError) -> Argument {
    try state.withLock { (state) throws(BusError) in
      switch state {
      case .read(let value): return value
      case .message(let message):
        let value = try message.read(at: index) { (reader) throws(BusError) in try Argument.read(from: &reader) }
        state = .read(value)
        return value
      case .gone: preconditionFailure("the elements of this argument have been read")
      }
    }
  }

  func elements<Element: BusType>() -> ArgumentElements<Element> where Argument == [Element] {
    state.withLock { state in
      switch state {
      case .read(let value): return ArgumentElements(value)
      case .message(let message): return ArgumentElements(of: index, in: message)
      case .gone: preconditionFailure("the elements of this argument have been read")
      }
    }
  }

  /// Releases the message.
  func letGo() { state.withLock { $0 = .gone } }
}

extension Method {
  /// Creates a row for a method whose handler reads its parameter itself.
  public init<A: BusType, Output>(
    unread description: MethodDescription<A, Output>, bounds: Bounds? = nil,
    _ handler: @escaping @Sendable (isolated Connection, Unread<A>, IncomingCall) async throws -> Output
  ) {
    self.init(
      unread: description, bounds, handler, { (reader) throws(BusError) in Unread(try A.read(from: &reader)) },
      { Unread($0, 0) })
  }

  /// Creates a row for a method whose handler reads its two parameters itself.
  public init<A: BusType, B: BusType, Output>(
    unread description: MethodDescription<(A, B), Output>, bounds: Bounds? = nil,
    _ handler: @escaping @Sendable (isolated Connection, Unread<A>, Unread<B>, IncomingCall) async throws -> Output
  ) {
    self.init(unread: description, bounds) { connection, all, call in
      try await handler(connection, all.0, all.1, call)
    } _: { (reader) throws(BusError) in
      (Unread(try A.read(from: &reader)), Unread(try B.read(from: &reader)))
    } _: {
      (Unread($0, 0), Unread($0, 1))
    }
  }

  /// Creates a row for a method whose handler reads its four parameters itself.
  public init<A: BusType, B: BusType, C: BusType, D: BusType, Output>(
    unread description: MethodDescription<(A, B, C, D), Output>, bounds: Bounds? = nil,
    _ handler:
      @escaping @Sendable (
        isolated Connection, Unread<A>, Unread<B>, Unread<C>, Unread<D>, IncomingCall
      ) async throws -> Output
  ) {
    self.init(unread: description, bounds) { connection, all, call in
      try await handler(connection, all.0, all.1, all.2, all.3, call)
    } _: { (reader) throws(BusError) in
      (
        Unread(try A.read(from: &reader)), Unread(try B.read(from: &reader)), Unread(try C.read(from: &reader)),
        Unread(try D.read(from: &reader))
      )
    } _: {
      (Unread($0, 0), Unread($0, 1), Unread($0, 2), Unread($0, 3))
    }
  }

  private init<Input, Output, All: Sendable>(
    unread description: MethodDescription<Input, Output>, _ bounds: Bounds?,
    _ handler: @escaping @Sendable (isolated Connection, All, IncomingCall) async throws -> Output,
    _ read: @escaping @Sendable (inout ArgumentReader) throws(BusError) -> All,
    _ hold: @escaping @Sendable (HeldMessage) -> All
  ) {
    let output = description.output
    @Sendable func run(_ all: All) -> Run {
      { connection, call, address in
        await connection.answer(address, output) { try await handler($0, all, call) }
      }
    }
    self.init(description, bounds, hold: { run(hold($0)) }) { (reader) throws(BusError) in run(try read(&reader)) }
  }
}
