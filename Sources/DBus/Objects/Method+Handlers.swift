// SPDX-License-Identifier: Apache-2.0

/// One initializer for each number of parameters, for the reason that ``Method`` gives. None makes a tuple of the
/// arguments: its type would be looked up with each call.
extension Method {
  /// Creates a row for a method with no parameters.
  public init<Output>(
    _ description: MethodDescription<Void, Output>, bounds: Bounds? = nil,
    _ handler: @escaping @Sendable (isolated Connection, IncomingCall) async throws -> Output
  ) {
    let output = description.output
    self.init(description, bounds) { _ in
      { connection, call, address in
        await connection.answer(address, output) { try await handler($0, call) }
      }
    }
  }

  /// Creates a row for a method with one parameter.
  public init<A: BusType, Output>(
    _ description: MethodDescription<A, Output>, bounds: Bounds? = nil,
    _ handler: @escaping @Sendable (isolated Connection, A, IncomingCall) async throws -> Output
  ) {
    let output = description.output
    self.init(description, bounds) { (reader) throws(BusError) in
      let a = try A.read(from: &reader)
      return { connection, call, address in
        await connection.answer(address, output) { try await handler($0, a, call) }
      }
    }
  }

  /// Creates a row for a method with two parameters.
  public init<A: BusType, B: BusType, Output>(
    _ description: MethodDescription<(A, B), Output>, bounds: Bounds? = nil,
    _ handler: @escaping @Sendable (isolated Connection, A, B, IncomingCall) async throws -> Output
  ) {
    let output = description.output
    self.init(description, bounds) { (reader) throws(BusError) in
      let a = try A.read(from: &reader)
      let b = try B.read(from: &reader)
      return { connection, call, address in
        await connection.answer(address, output) { try await handler($0, a, b, call) }
      }
    }
  }

  /// Creates a row for a method with three parameters.
  public init<A: BusType, B: BusType, C: BusType, Output>(
    _ description: MethodDescription<(A, B, C), Output>, bounds: Bounds? = nil,
    _ handler: @escaping @Sendable (isolated Connection, A, B, C, IncomingCall) async throws -> Output
  ) {
    let output = description.output
    self.init(description, bounds) { (reader) throws(BusError) in
      let a = try A.read(from: &reader)
      let b = try B.read(from: &reader)
      let c = try C.read(from: &reader)
      return { connection, call, address in
        await connection.answer(address, output) { try await handler($0, a, b, c, call) }
      }
    }
  }

  /// Creates a row for a method with four parameters.
  public init<A: BusType, B: BusType, C: BusType, D: BusType, Output>(
    _ description: MethodDescription<(A, B, C, D), Output>, bounds: Bounds? = nil,
    _ handler: @escaping @Sendable (isolated Connection, A, B, C, D, IncomingCall) async throws -> Output
  ) {
    let output = description.output
    self.init(description, bounds) { (reader) throws(BusError) in
      let a = try A.read(from: &reader)
      let b = try B.read(from: &reader)
      let c = try C.read(from: &reader)
      let d = try D.read(from: &reader)
      return { connection, call, address in
        await connection.answer(address, output) { try await handler($0, a, b, c, d, call) }
      }
    }
  }

  /// Creates a row for a method with five parameters.
  public init<A: BusType, B: BusType, C: BusType, D: BusType, E: BusType, Output>(
    _ description: MethodDescription<(A, B, C, D, E), Output>, bounds: Bounds? = nil,
    _ handler: @escaping @Sendable (isolated Connection, A, B, C, D, E, IncomingCall) async throws -> Output
  ) {
    let output = description.output
    self.init(description, bounds) { (reader) throws(BusError) in
      let a = try A.read(from: &reader)
      let b = try B.read(from: &reader)
      let c = try C.read(from: &reader)
      let d = try D.read(from: &reader)
      let e = try E.read(from: &reader)
      return { connection, call, address in
        await connection.answer(address, output) { try await handler($0, a, b, c, d, e, call) }
      }
    }
  }

  /// Creates a row for a method with six parameters.
  public init<A: BusType, B: BusType, C: BusType, D: BusType, E: BusType, F: BusType, Output>(
    _ description: MethodDescription<(A, B, C, D, E, F), Output>, bounds: Bounds? = nil,
    _ handler: @escaping @Sendable (isolated Connection, A, B, C, D, E, F, IncomingCall) async throws -> Output
  ) {
    let output = description.output
    self.init(description, bounds) { (reader) throws(BusError) in
      let a = try A.read(from: &reader)
      let b = try B.read(from: &reader)
      let c = try C.read(from: &reader)
      let d = try D.read(from: &reader)
      let e = try E.read(from: &reader)
      let f = try F.read(from: &reader)
      return { connection, call, address in
        await connection.answer(address, output) { try await handler($0, a, b, c, d, e, f, call) }
      }
    }
  }

  /// Creates a row for a method with seven parameters.
  public init<A: BusType, B: BusType, C: BusType, D: BusType, E: BusType, F: BusType, G: BusType, Output>(
    _ description: MethodDescription<(A, B, C, D, E, F, G), Output>, bounds: Bounds? = nil,
    _ handler: @escaping @Sendable (isolated Connection, A, B, C, D, E, F, G, IncomingCall) async throws -> Output
  ) {
    let output = description.output
    self.init(description, bounds) { (reader) throws(BusError) in
      let a = try A.read(from: &reader)
      let b = try B.read(from: &reader)
      let c = try C.read(from: &reader)
      let d = try D.read(from: &reader)
      let e = try E.read(from: &reader)
      let f = try F.read(from: &reader)
      let g = try G.read(from: &reader)
      return { connection, call, address in
        await connection.answer(address, output) { try await handler($0, a, b, c, d, e, f, g, call) }
      }
    }
  }

  /// Creates a row for a method with eight parameters.
  public init<A: BusType, B: BusType, C: BusType, D: BusType, E: BusType, F: BusType, G: BusType, H: BusType, Output>(
    _ description: MethodDescription<(A, B, C, D, E, F, G, H), Output>, bounds: Bounds? = nil,
    _ handler: @escaping @Sendable (isolated Connection, A, B, C, D, E, F, G, H, IncomingCall) async throws -> Output
  ) {
    let output = description.output
    self.init(description, bounds) { (reader) throws(BusError) in
      let a = try A.read(from: &reader)
      let b = try B.read(from: &reader)
      let c = try C.read(from: &reader)
      let d = try D.read(from: &reader)
      let e = try E.read(from: &reader)
      let f = try F.read(from: &reader)
      let g = try G.read(from: &reader)
      let h = try H.read(from: &reader)
      return { connection, call, address in
        await connection.answer(address, output) { try await handler($0, a, b, c, d, e, f, g, h, call) }
      }
    }
  }
}
