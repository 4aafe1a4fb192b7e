// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import Testing

/// Tests how the C library manages the memory of the process.
@Suite(.timeLimit(.minutes(1))) struct ProcessMemoryTests {
  /// In a process of its own: the settings are of a process.
  @Test func `A buffer that grows with each large message uses its memory again`() async {
    await #expect(processExitsWith: .success) {
      ProcessMemory.useOneHeap()
      func faults() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_minflt
      }
      // As libdbus reads a message: 2 KiB at a time, into one buffer.
      var buffer = malloc(2048)
      func read() {
        for size in [4, 8, 16, 32, 64, 128, 256, 512] {
          buffer = realloc(buffer, size << 10)
          buffer.map { _ = memset($0, 1, size << 10) }
        }
      }
      read()
      // Messages that are held lie behind the buffer, so that its memory is not the end of the heap.
      var messages: [UnsafeMutableRawPointer?] = []
      repeat { messages.append(malloc(250_000)) } while Int(bitPattern: messages.last ?? nil) < Int(bitPattern: buffer)
      let before = faults()
      for _ in 0..<100 {
        buffer = realloc(buffer, 2048)
        read()
      }
      let count = faults() - before
      for message in messages { free(message) }
      free(buffer)
      // The buffer has 128 pages.
      #expect(count < 200)
    }
  }
}
