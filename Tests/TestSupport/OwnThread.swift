// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
public import Testing

/// Runs each test on a thread of its own, a few at a time.
///
/// These tests wait for programs. The runtime's pool has one thread per core, and a blocked one delays all other tests.
public struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  /// Applies to each test, not to the suite.
  public var isRecursive: Bool { true }
  private static let places = Places(3)

  /// Runs one test.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    await Self.places.take()
    let loop = try EventLoop.onOwnThread(named: "test")
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await withTaskExecutorPreference(loop) { try await function() }) } catch {
      outcome = .failure(error)
    }
    loop.stopAndWait()
    await Self.places.giveBack()
    try outcome.get()
  }
}

extension Trait where Self == OwnThread {
  /// Runs each test on a thread of its own.
  public static var onOwnThread: OwnThread { OwnThread() }
}

private actor Places {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func giveBack() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
