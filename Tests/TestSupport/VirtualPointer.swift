// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestStage

/// A mouse for a Wayland compositor, using a minimal part of the wlr-virtual-pointer protocol.
///
/// It exists as long as this object. Clients that start later see a pointer from the beginning.
package final class VirtualPointer {
  private let socket: Int32
  private let width: UInt32, height: UInt32

  // Our object ids in order of creation; 1 is the display.
  private static let display: UInt32 = 1, registry: UInt32 = 2, firstSync: UInt32 = 3, manager: UInt32 = 4
  private static let pointer: UInt32 = 5, lastSync: UInt32 = 6

  /// - Parameter path: the compositor's socket.
  package init(at path: String, width: Int, height: Int) throws {
    (self.width, self.height) = (UInt32(width), UInt32(height))
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw TestFailure("socket: \(String(cString: strerror(errno)))") }
    try connect(to: path)
    try send(Self.display, 1, [Self.registry])  // get_registry
    try send(Self.display, 0, [Self.firstSync])  // sync
    let interface = "zwlr_virtual_pointer_manager_v1"
    guard let name = try globals()[interface] else { throw TestFailure("the compositor has no virtual pointers") }
    // bind, with interface and version before the new object
    try send(Self.registry, 0, [name] + Self.words(interface) + [1, Self.manager])
    try send(Self.manager, 0, [0, Self.pointer])  // create_virtual_pointer, for any seat
    try send(Self.display, 0, [Self.lastSync])
    _ = try globals(until: Self.lastSync)
  }

  deinit { close(socket) }

  private func connect(to path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8) + [0]
    guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { throw TestFailure("too long: \(path)") }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw TestFailure("\(path): \(String(cString: strerror(errno)))") }
  }

  // MARK: Pointer

  /// Moves to a position and clicks a button: 1 left, 2 middle, 3 right. Then moves to the empty lower left corner,
  /// because a popup under the pointer does not expire.
  package func click(_ x: Int, _ y: Int, button: Int) throws {
    try move(x, y)
    let code: UInt32 = [1: 0x110, 2: 0x112, 3: 0x111][button] ?? 0x110
    for state: UInt32 in [1, 0] {
      try send(Self.pointer, 2, [now, code, state])  // button
      try frame()
    }
    try move(0, Int(height) - 1)
  }

  /// Moves to a position, from the point beside it.
  package func move(_ x: Int, _ y: Int) throws {
    for x in [max(x - 1, 0), x] {
      try send(Self.pointer, 1, [now, UInt32(x), UInt32(y), width, height])  // motion_absolute
      try frame()
    }
  }

  /// Turns the wheel under the pointer, downwards.
  package func scroll(by distance: Int32) throws {
    try send(Self.pointer, 3, [now, 0, UInt32(bitPattern: distance << 8)])  // axis, in 24.8 fixed point
    try frame()
  }

  private func frame() throws { try send(Self.pointer, 4, []) }

  private var now: UInt32 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt32(truncatingIfNeeded: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
  }

  // MARK: Protocol

  /// A string: its length with the terminating zero, then its bytes, padded to whole words.
  private static func words(_ text: String) -> [UInt32] {
    var bytes = Array(text.utf8) + [0]
    let length = UInt32(bytes.count)
    while bytes.count % 4 != 0 { bytes.append(0) }
    return [length]
      + stride(from: 0, to: bytes.count, by: 4).map { start in
        bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
      }
  }

  /// The protocol uses the machine's byte order, little-endian on all supported machines.
  private func send(_ object: UInt32, _ operation: UInt32, _ arguments: [UInt32]) throws {
    let message = [object, UInt32(8 + 4 * arguments.count) << 16 | operation] + arguments
    let sent = message.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent == 4 * message.count else { throw TestFailure("the compositor is gone") }
  }

  /// The compositor's globals by name, as reported before it answers `sync`.
  private func globals(until sync: UInt32 = firstSync) throws -> [String: UInt32] {
    var globals: [String: UInt32] = [:]
    while true {
      let head = try receive(8)
      let (object, length) = (head[0], Int(head[1] >> 16))
      let body = try receive(length - 8)
      if object == sync { return globals }
      if object == Self.display, head[1] & 0xffff == 0 { throw TestFailure("the compositor refuses: \(body)") }
      guard object == Self.registry, head[1] & 0xffff == 0 else { continue }
      let text = body[2...].flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
      globals[String(decoding: text.prefix(Int(body[1]) - 1), as: UTF8.self)] = body[0]
    }
  }

  private func receive(_ count: Int) throws -> [UInt32] {
    var words = [UInt32](repeating: 0, count: count / 4)
    try words.withUnsafeMutableBytes { buffer in
      var filled = 0
      while filled < buffer.count {
        let read = recv(socket, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, 0)
        guard read > 0 else { throw TestFailure("the compositor says nothing") }
        filled += read
      }
    }
    return words
  }
}
