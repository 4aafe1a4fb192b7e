// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import EventLoop

/// Tests signals. They are sent to the loop's thread, which blocks them: another thread would end the process.
@Suite(.timeLimit(.minutes(1))) struct SignalTests {
  @Test func `Each signal reaches its own handler, on the loop`() async throws {
    let events = Events<Int32>()
    try await withLoop { loop in
      try await loop.inside { loop in
        for signal in [SIGUSR1, SIGUSR2, SIGHUP] {
          try loop.onSignal(signal) { [unowned loop] in events.add(loop.isOnLoop ? signal : -1) }
        }
      }
      for signal in [SIGUSR2, SIGHUP, SIGUSR1] {
        try await loop.inside { _ in _ = pthread_kill(pthread_self(), signal) }
        #expect(await events.next() == [signal])
      }
    }
  }

  @Test func `A signal that comes several times in one turn is handled once`() async throws {
    let events = Events<Int32>()
    try await withLoop { loop in
      try await loop.inside { loop in
        try loop.onSignal(SIGUSR1) { events.add(SIGUSR1) }
        try loop.onSignal(SIGUSR2) { events.add(SIGUSR2) }
        for _ in 0..<3 { pthread_kill(pthread_self(), SIGUSR1) }
      }
      #expect(await events.next() == [SIGUSR1])
      try await loop.inside { _ in _ = pthread_kill(pthread_self(), SIGUSR2) }
      #expect(await events.next() == [SIGUSR2])
    }
  }

  @Test func `The last handler of a signal counts`() async throws {
    let events = Events<String>()
    try await withLoop { loop in
      try await loop.inside { loop in
        try loop.onSignal(SIGUSR1) { events.add("first") }
        try loop.onSignal(SIGUSR1) { events.add("second") }
        pthread_kill(pthread_self(), SIGUSR1)
      }
      #expect(await events.next() == ["second"])
    }
  }

  @Test func `An invalid signal number is refused`() async throws {
    try await withLoop { loop in
      await #expect(throws: EventLoopError("sigaddset", EINVAL)) {
        try await loop.inside { try $0.onSignal(1_000) {} }
      }
    }
  }
}
