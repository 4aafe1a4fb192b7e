// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import EventLoop

/// Owns a reference to a received message. libdbus counts it as received until this is released.
final class HeldMessage: @unchecked Sendable {
  // @unchecked: a received message does not change, and libdbus counts references to it atomically. It is released on
  // the loop's thread, because that may change the connection's watches.
  private let pointer: OpaquePointer
  private let sender: BusName
  private let size: Int
  private let room: HeldRoom
  private let loop: EventLoop

  /// Use only on the loop's thread.
  init(_ message: borrowing MessageReader, of sender: BusName, size: Int, in room: HeldRoom, on loop: EventLoop) {
    pointer = dbus_message_ref(message.pointer)
    self.sender = sender
    self.size = size
    self.room = room
    self.loop = loop
    room.add(size, of: sender)
  }

  func withReader<T>(_ body: (borrowing MessageReader) -> T) -> T { body(MessageReader(borrowing: pointer)) }

  /// Reads arguments from that at `index` on.
  func read<T>(
    at index: Int = 0, _ body: (inout ArgumentReader) throws(BusError) -> T
  ) throws(BusError) -> T {
    let message = MessageReader(borrowing: pointer)
    var reader = ArgumentReader(message)
    for _ in 0..<index { reader.skip() }
    return try body(&reader)
  }

  deinit {
    let parts = Parts(pointer: pointer, sender: sender, size: size, room: room)
    if loop.isOnLoop { parts.letGo() } else { loop.perform { parts.letGo() } }
  }

  /// The reference to release. @unchecked: used on the loop's thread only.
  private struct Parts: @unchecked Sendable {
    let pointer: OpaquePointer
    let sender: BusName
    let size: Int
    let room: HeldRoom

    func letGo() {
      dbus_message_unref(pointer)
      room.remove(size, of: sender)
    }
  }
}

/// Counts the held bytes of each peer. Confined to the loop's thread.
final class HeldRoom: @unchecked Sendable {
  // @unchecked: the connection and its held messages use it on the loop's thread only.

  /// From this size on, arguments are held unread until they are needed: smaller ones take little memory as values, and
  /// holding costs more than reading.
  static let shortest = 4096

  private let most: Int
  private let mostOfOne: Int
  private var bytes = 0
  private var bytesOf: [BusName: Int] = [:]

  init(most: Int, mostOfOne: Int) {
    self.most = most
    self.mostOfOne = mostOfOne
  }

  /// Whether that many bytes more fit; a single message always does.
  func hasRoom(for size: Int, of sender: BusName) -> Bool {
    let own = bytesOf[sender] ?? 0
    return (own == 0 || own + size <= mostOfOne) && (bytes == 0 || bytes + size <= most)
  }

  var isEmpty: Bool { bytes == 0 }

  func add(_ size: Int, of sender: BusName) {
    bytes += size
    bytesOf[sender, default: 0] += size
  }

  func remove(_ size: Int, of sender: BusName) {
    bytes -= size
    let rest = (bytesOf[sender] ?? 0) - size
    bytesOf[sender] = rest > 0 ? rest : nil
  }
}
