// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import TestSupport

/// A Wayland compositor with a seat and the named protocols, for one client at a time. Confined to its loop.
final class ScriptedCompositor {
  /// A timer that the client has asked for.
  struct Timer: Equatable {
    let object: UInt32
    let milliseconds: UInt32
  }

  private let listener: Int32
  private let loop: EventLoop
  private let globals: [String]
  private var client: Int32?
  private var watches: [EventLoop.DescriptorWatch] = []
  private var received: [UInt8] = []
  /// The interfaces of the client's objects.
  private var objects: [UInt32: String] = [:]
  private(set) var timers: [Timer] = []

  init(at path: String, on loop: EventLoop, offering protocols: [String]) throws {
    (self.loop, globals) = (loop, ["wl_compositor", "wl_seat"] + protocols)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, listen(listener, 4) == 0 else { throw TestFailure("\(path): \(errno)") }
    watches.append(try loop.watch(listener, for: .readable) { [weak self] _ in self?.accept() })
  }

  deinit {
    close(listener)
    if let client { close(client) }
  }

  /// Ends, and with it the connection.
  func stop() {
    for watch in watches { watch.cancel() }
    watches = []
    if let client { close(client) }
    client = nil
  }

  /// How many clients have connected so far.
  private(set) var clients = 0
  var hasClient: Bool { client != nil }

  /// Tells that a time is over (0), or of input (1).
  func tell(_ timer: Timer, _ event: UInt32) { send(timer.object, event, []) }

  // MARK: Protocol

  private func accept() {
    let number = Glibc.accept(listener, nil, nil)
    guard number >= 0 else { return }
    clients += 1
    (client, objects, timers, received) = (number, [1: "wl_display"], [], [])
    guard let watch = try? loop.watch(number, for: .readable, { [weak self] _ in self?.receive(number) }) else {
      return
    }
    watches.append(watch)
  }

  private func receive(_ number: Int32) {
    guard client == number else { return }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(number, &bytes, bytes.count, 0)
    guard count > 0 else {
      watches.removeLast().cancel()
      close(number)
      return client = nil
    }
    received += bytes[..<count]
    while received.count >= 8 {
      let words = received.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
      }
      let size = Int(words[1] >> 16)
      guard received.count >= size else { return }
      received.removeFirst(size)
      take(words[0], words[1] & 0xffff, Array(words[2..<(size / 4)]))
    }
  }

  private func take(_ object: UInt32, _ operation: UInt32, _ arguments: [UInt32]) {
    switch (objects[object], operation) {
    case ("wl_display", 0): send(arguments[0], 0, [0])
    case ("wl_display", 1):
      objects[arguments[0]] = "wl_registry"
      for (name, interface) in globals.enumerated() {
        send(arguments[0], 0, [UInt32(name)] + Self.words(interface) + [1])
      }
    case ("wl_registry", 0): objects[arguments[arguments.count - 1]] = globals[Int(arguments[0])]
    case ("ext_idle_notifier_v1", 1): add(arguments[0], arguments[1], seat: arguments[2])
    case ("org_kde_kwin_idle", 0): add(arguments[0], arguments[2], seat: arguments[1])
    case ("timer", 0): timers.removeAll { $0.object == object }
    default: stop()
    }
  }

  private func add(_ object: UInt32, _ milliseconds: UInt32, seat: UInt32) {
    guard objects[seat] == "wl_seat" else { return stop() }
    objects[object] = "timer"
    timers.append(Timer(object: object, milliseconds: milliseconds))
  }

  private func send(_ object: UInt32, _ operation: UInt32, _ arguments: [UInt32]) {
    sendRaw([object, UInt32(8 + 4 * arguments.count) << 16 | operation] + arguments)
  }

  /// Sends words, which need not be a message.
  func sendRaw(_ words: [UInt32]) {
    guard let client else { return }
    // In two parts: a client gets a message in any number of them.
    words.withUnsafeBytes { bytes in
      _ = Glibc.send(client, bytes.baseAddress, 6, Int32(MSG_NOSIGNAL))
      _ = Glibc.send(client, bytes.baseAddress! + 6, bytes.count - 6, Int32(MSG_NOSIGNAL))
    }
  }

  private static func words(_ text: String) -> [UInt32] {
    var bytes = Array(text.utf8) + [0]
    let length = UInt32(bytes.count)
    while bytes.count % 4 != 0 { bytes.append(0) }
    return [length]
      + bytes.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
      }
  }
}
