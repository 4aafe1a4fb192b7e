// SPDX-License-Identifier: Apache-2.0
import CTerminal
import EventLoop
import Glibc
import Synchronization
import Testing

@testable import suzu

/// A screen on its own loop, with its events as lines, in order.
///
/// @unchecked: the screen is accessed only inside `on`, which runs on the loop's thread.
final class ScreenStand: @unchecked Sendable {
  let loop: EventLoop
  let told: AsyncStream<String>
  private let telling: AsyncStream<String>.Continuation
  private var screen: (any PopupScreen)?

  init(_ make: @escaping @Sendable (EventLoop) -> any PopupScreen) async throws {
    loop = try EventLoop.onOwnThread(named: "screen")
    (told, telling) = AsyncStream<String>.makeStream()
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      loop.perform { [self] in
        let screen = make(loop)
        self.screen = screen
        do {
          try screen.start { [telling] in
            telling.yield("\($0)")
          } end: { [telling] in
            telling.yield("end \($0)")
          }
        } catch {
          telling.yield("failed: \(error)")
        }
        done.resume()
      }
    }
  }

  func on(_ work: @escaping @Sendable (any PopupScreen) -> Void) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      loop.perform { [self] in
        if let screen { work(screen) }
        done.resume()
      }
    }
  }

  /// Stops the screen and its loop.
  func finish() async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      loop.perform { [self] in
        screen?.stop()
        screen = nil
        done.resume()
      }
    }
    loop.stopAndWait()
  }
}

/// One end of a pipe or terminal; closed on deinit.
final class End: Sendable {
  let descriptor: Int32
  /// Bytes read beyond the last marker.
  private let received = Mutex<ArraySlice<UInt8>>([])

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  static func pipe() throws -> (reading: End, writing: End) {
    var ends: [Int32] = [0, 0]
    try #require(Glibc.pipe(&ends) == 0)
    return (End(ends[0]), End(ends[1]))
  }

  /// False in a bare root directory without /dev/pts; any other failure to open a terminal fails the test.
  static let canMakeTerminals = access("/dev/pts/ptmx", F_OK) == 0

  /// A terminal of the given size: the user's side and the program's side.
  static func terminal(columns: UInt16, rows: UInt16) throws -> (user: End, program: End) {
    var ends: (user: Int32, program: Int32) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&ends.user, &ends.program, nil, nil, &size) == 0)
    return (End(ends.user), End(ends.program))
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Reads up to the end of `marker`, for at most ten seconds.
  func receive(through marker: String) throws -> String {
    let marker = Array(marker.utf8)
    let end = EventLoop.Clock.monotonic.now + .seconds(10)
    var bytes: [UInt8] = []
    while !bytes.suffix(marker.count).elementsEqual(marker) {
      if let next = received.withLock({ $0.popFirst() }) {
        bytes.append(next)
        continue
      }
      let seen = "after '\(String(decoding: bytes.suffix(300), as: UTF8.self))'"
      let left = (end - EventLoop.Clock.monotonic.now).components
      let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      try #require(milliseconds > 0 && poll(&entry, 1, Int32(milliseconds)) > 0, "nothing \(seen)")
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &buffer, buffer.count)
      try #require(count > 0, "the end \(seen)")
      received.withLock { $0 = buffer[..<count] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
