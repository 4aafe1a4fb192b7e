// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import EventLoop

/// Tests waiting for descriptors.
@Suite(.timeLimit(.minutes(1))) struct PollerTests {
  let wakeUp: WakeUp
  let poller: Poller

  init() throws {
    wakeUp = try WakeUp()
    poller = try Poller(wakeUp: wakeUp)
  }

  /// What one watch heard.
  final class Heard {
    var readiness: [Readiness] = []
  }

  @Test func `A pipe is readable as long as it holds data`() throws {
    let pipe = Pipe()
    let heard = Heard()
    try poller.add(pipe.reader, .readable) { heard.readiness.append($0) }
    poller.poll(for: .zero)
    #expect(heard.readiness == [])
    pipe.write("a")
    poller.poll(for: .zero)
    poller.poll(for: .zero)
    #expect(heard.readiness == [.readable, .readable])
    #expect(pipe.read() == "a")
    poller.poll(for: .zero)
    #expect(heard.readiness.count == 2)
  }

  @Test func `Two watches of one descriptor each get their own events`() throws {
    let pair = Pipe(socket: true)
    let reads = Heard()
    let writes = Heard()
    try poller.add(pair.reader, .readable) { reads.readiness.append($0) }
    let writing = try poller.add(pair.reader, .writable) { writes.readiness.append($0) }
    poller.poll(for: .zero)
    #expect(reads.readiness == [])
    #expect(writes.readiness == [.writable])
    pair.write("a")
    poller.remove(writing, of: pair.reader)
    poller.poll(for: .zero)
    #expect(reads.readiness == [.readable])
    #expect(writes.readiness.count == 1)
  }

  @Test func `A change of interest counts from the next turn on, the last one only`() throws {
    let pair = Pipe(socket: true)
    let heard = Heard()
    let key = try poller.add(pair.reader, []) { heard.readiness.append($0) }
    poller.poll(for: .zero)
    poller.change(key, of: pair.reader, to: .writable)
    poller.change(key, of: pair.reader, to: [])
    poller.poll(for: .zero)
    #expect(heard.readiness == [])
    poller.change(key, of: pair.reader, to: [.readable, .writable])
    poller.poll(for: .zero)
    #expect(heard.readiness == [.writable])
  }

  @Test func `A watch that ends itself gets no further event`() throws {
    let pipe = Pipe()
    let heard = Heard()
    var key: UInt64 = 0
    key = try poller.add(pipe.reader, .readable) { [unowned poller] in
      heard.readiness.append($0)
      poller.remove(key, of: pipe.reader)
      poller.remove(key, of: pipe.reader)
    }
    pipe.write("a")
    poller.poll(for: .zero)
    poller.poll(for: .zero)
    #expect(heard.readiness == [.readable])
  }

  @Test func `A watch that its neighbour ended in the same turn stays silent`() throws {
    let pipes = [Pipe(), Pipe()]
    var keys: [UInt64] = []
    var calls = 0
    for pipe in pipes {
      pipe.write("a")
      let key = try poller.add(pipe.reader, .readable) { [unowned poller] _ in
        calls += 1
        for (key, pipe) in zip(keys, pipes) { poller.remove(key, of: pipe.reader) }
      }
      keys.append(key)
    }
    poller.poll(for: .zero)
    #expect(calls == 1)
  }

  @Test func `A watch may end another on the same descriptor, and a new one gets later events`() throws {
    let pipe = Pipe()
    pipe.write("a")
    let heard = Heard()
    let late = Heard()
    var second: UInt64 = 0
    try poller.add(pipe.reader, .readable) { [unowned poller] _ in
      poller.remove(second, of: pipe.reader)
      if late.readiness.isEmpty { _ = try? poller.add(pipe.reader, .readable) { late.readiness.append($0) } }
    }
    second = try poller.add(pipe.reader, .readable) { heard.readiness.append($0) }
    poller.poll(for: .zero)
    #expect(late.readiness == [])
    poller.poll(for: .zero)
    #expect(late.readiness == [.readable])
    #expect(heard.readiness == [])
  }

  @Test func `An event already read does not reach a new file with the same number`() throws {
    let first = Pipe()
    let second = Pipe()
    let later = Pipe()
    first.write("a")
    second.write("a")
    let heard = Heard()
    var keys: [Int32: UInt64] = [:]
    var calls = 0
    // The first handler replaces the other one's descriptor with an empty pipe.
    for (mine, other) in [(first.reader, second.reader), (second.reader, first.reader)] {
      keys[mine] = try poller.add(mine, .readable) { [unowned poller] _ in
        calls += 1
        if let key = keys[mine] { poller.remove(key, of: mine) }
        if let key = keys[other] { poller.remove(key, of: other) }
        #expect(dup2(later.reader, other) == other)
        _ = try? poller.add(other, .readable) { heard.readiness.append($0) }
      }
    }
    poller.poll(for: .zero)
    #expect(calls == 1)
    #expect(heard.readiness == [])
    later.write("b")
    poller.poll(for: .zero)
    #expect(heard.readiness == [.readable])
  }

  @Test func `A watched regular file is ready in every turn`() throws {
    let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let pipe = Pipe()
    let heard = Heard()
    let key = try poller.add(file, .readable) { heard.readiness.append($0) }
    poller.wait()
    poller.wait()
    #expect(heard.readiness == [.readable, .readable])

    // Without an interest in it, the poller waits again until the pipe is ready.
    poller.change(key, of: file, to: [])
    var isPipeReady = false
    try poller.add(pipe.reader, .readable) { _ in isPipeReady = true }
    let writer = Thread.start { pipe.write("a") }
    poller.wait()
    writer.join()
    #expect(isPipeReady)
    #expect(heard.readiness.count == 2)

    poller.change(key, of: file, to: .readable)
    poller.wait()
    poller.remove(key, of: file)
    poller.poll(for: .zero)
    #expect(heard.readiness.count == 3)
  }

  @Test func `A pipe without writers is readable and failed`() throws {
    let pipe = Pipe()
    let heard = Heard()
    try poller.add(pipe.reader, .readable) { heard.readiness.append($0) }
    pipe.endWriting()
    poller.poll(for: .zero)
    #expect(heard.readiness == [[.readable, .failed]])
  }

  @Test func `A watch without interests gets a hang-up once, not in every turn`() throws {
    let pipe = Pipe()
    let heard = Heard()
    let key = try poller.add(pipe.reader, .readable) { heard.readiness.append($0) }
    poller.change(key, of: pipe.reader, to: [])
    poller.poll(for: .zero)
    pipe.endWriting()
    for _ in 0..<5 { poller.poll(for: .zero) }
    #expect(heard.readiness == [.failed])
  }

  @Test(arguments: [-1, 99_999]) func `A closed descriptor is refused`(descriptor: Int32) {
    #expect(throws: EventLoopError("epoll_ctl", EBADF)) { try poller.add(descriptor, .readable) { _ in } }
  }

  @Test func `A ring before the wait ends it, and each ring counts`() {
    for _ in 0..<3 {
      wakeUp.ring()
      poller.wait()
    }
  }
}
