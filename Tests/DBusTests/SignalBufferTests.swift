// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

@testable import DBus

/// Tests the buffer between the connection's thread and a reader on another one.
@Suite(.timeLimit(.minutes(1))) struct SignalBufferTests {
  /// A reader that had taken a signal before it was woken for it was woken again while it waited for the next one. It
  /// found none, and its stream ended without a word. Several pairs, so that threads are interrupted at any point.
  @Test func `A reader on another thread gets every signal, whenever it begins to wait`() async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 { group.addTask { try await Self.readWhatComes(100_000) } }
      try await group.waitForAll()
    }
  }

  private static func readWhatComes(_ count: Int) async throws {
    let buffer = SignalBuffer(limit: 16) {}
    let taken = Counter()
    let writer = Thread {
      for number in 0..<count {
        // Each comes when the reader has just taken the one before, and is about to wait.
        while taken.value.load(ordering: .acquiring) < number {}
        buffer.put(SignalTests.signal("A"))
      }
      buffer.end(BusError(.disconnected, "the end"))
    }
    writer.start()
    // The writer ends, too, if the reader was lost.
    defer { taken.value.store(count, ordering: .releasing) }
    var read = 0
    do {
      for try await _ in SignalStream(buffer: buffer) {
        read += 1
        taken.value.store(read, ordering: .releasing)
      }
      Issue.record("the stream ended after \(read) signals")
    } catch {
      #expect(error.message == "the end")
      #expect(read == count)
    }
  }

  private final class Counter: Sendable {
    let value = Atomic<Int>(0)
  }
}
