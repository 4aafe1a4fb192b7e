// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// Starts a task of an object that is confined to the loop without being an actor. Its first part, up to the first
  /// wait, runs at once; all of it runs on the loop's thread.
  ///
  ///     final class Screen {
  ///       let loop: EventLoop
  ///       init(on loop: EventLoop) { self.loop = loop }
  ///       func post() { loop.start { await self.show() } }
  ///       func show() async {}
  ///     }
  ///
  /// This and ``startLater(_:)`` are the only places where such an object enters a task. The closure has no list of
  /// captures: with one, Swift 6.3 would run it in the pool.
  @discardableResult
  public func start(_ operation: @escaping () async -> Void) -> Task<Void, Never> {
    let confined = Confined(operation)
    return starter.assumeIsolated { $0.start(confined) }
  }

  /// The same, but the first part runs after everything that is queued already.
  @discardableResult
  public func startLater(_ operation: @escaping () async -> Void) -> Task<Void, Never> {
    let confined = Confined(operation)
    return starter.assumeIsolated { $0.startLater(confined, on: self) }
  }

  /// Makes a `Sendable` function from one of an object that is confined to the loop. It must be called on the loop's
  /// thread, and traps on any other.
  public func confine<Argument>(_ body: @escaping (Argument) -> Void) -> @Sendable (Argument) -> Void {
    // Safe: `preconditionOnLoop` comes before each use.
    nonisolated(unsafe) let body = body
    return { argument in
      self.preconditionOnLoop()
      body(argument)
    }
  }
}

/// @unchecked: made on the loop's thread, inside `assumeIsolated`, and used by a task that never leaves it.
private struct Confined: @unchecked Sendable {
  let operation: () async -> Void
  init(_ operation: @escaping () async -> Void) { self.operation = operation }
}

/// The isolation of the loop's tasks that belong to no actor: they run on the executor of the loop's actors, so that
/// calling one of these needs no turn of the loop.
actor TaskStarter {
  private let queue: WorkQueue
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(queue: WorkQueue) { self.queue = queue }

  fileprivate func start(_ confined: Confined) -> Task<Void, Never> {
    // Without a preference for the loop, because a call of an actor would then be queued: see `WorkQueue`.
    Task.immediate { await self.run(confined) }
  }

  fileprivate func startLater(_ confined: Confined, on loop: EventLoop) -> Task<Void, Never> {
    Task(executorPreference: loop) { await self.run(confined) }
  }

  private func run(_ confined: Confined) async { await confined.operation() }
}
