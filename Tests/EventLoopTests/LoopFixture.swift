// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc

/// Runs a test's body with a loop on its own thread, and ends the loop afterwards.
@discardableResult
func withLoop<T: Sendable>(_ body: @Sendable (EventLoop) async throws -> T) async throws -> T {
  let loop = try EventLoop.onOwnThread(named: "test")
  defer { loop.stopAndWait() }
  return try await body(loop)
}

extension EventLoop {
  /// What `body` returns on the loop's thread.
  func inside<T: Sendable>(_ body: @escaping @Sendable (EventLoop) throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      perform { continuation.resume(with: Result { try body(self) }) }
    }
  }
}

/// Lets a test await one event after the other.
final class Events<Event: Sendable>: Sendable {
  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func add(_ event: Event) { continuation.yield(event) }

  /// The next `count` of them; the suite's time limit ends a wait for ever.
  func next(_ count: Int = 1) async -> [Event] {
    var events: [Event] = []
    var iterator = stream.makeAsyncIterator()
    while events.count < count, let event = await iterator.next() { events.append(event) }
    return events
  }
}

/// The content of a small file, such as one of /proc.
func contents(of path: String) -> String {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 8192)
  let count = Glibc.read(descriptor, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
}

/// How many entries a folder has.
func countEntries(of path: String) -> Int {
  guard let folder = opendir(path) else { return -1 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}

/// A variable that is used on one loop's thread only, or while that does not run.
final class Confined<Value>: @unchecked Sendable {
  // @unchecked: the test that makes one promises that; the thread sanitizer checks it.
  var value: Value
  init(_ value: Value) { self.value = value }
}
