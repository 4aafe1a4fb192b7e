// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import EventLoop
internal import Synchronization

/// The arguments of a call that are not read yet: the one owner of a reference to the message. Read once, they are values,
/// and the message is let go.
final class HeldArguments: Sendable {
  private enum State {
    case message(HeldMessage)
    case read([Value])
  }

  private let state: Mutex<State>

  init(_ message: borrowing MessageReader, of sender: BusName, size: Int, in room: HeldRoom, on loop: EventLoop) {
    state = Mutex(.message(HeldMessage(message, of: sender, size: size, in: room, on: loop)))
  }

  /// All of them. A descriptor that the message does not have is one that cannot be used.
  var values: [Value] {
    state.withLock { state in
      switch state {
      case .read(let values): return values
      case .message(let message):
        let values = message.withReader { $0.argumentsWithoutDescriptors() }
        state = .read(values)
        return values
      }
    }
  }

  /// The message, for what reads it bit by bit; nil where it has been read.
  var message: HeldMessage? {
    state.withLock { if case .message(let message) = $0 { message } else { nil } }
  }

  /// Lets the message go, where nothing else holds it; there are no arguments from now on.
  func letGo() { state.withLock { $0 = .read([]) } }
}

/// The one owner of a reference to a message that came. What libdbus counts as received it goes on counting until this is
/// gone.
final class HeldMessage: @unchecked Sendable {
  // @unchecked: a message that came is not changed any more, and libdbus counts references to it atomically. It is let go
  // on the loop's thread, because the connection's watches may change by it.
  private let pointer: OpaquePointer
  private let sender: BusName
  private let size: Int
  private let room: HeldRoom
  private let loop: EventLoop

  /// Only on the loop.
  init(_ message: borrowing MessageReader, of sender: BusName, size: Int, in room: HeldRoom, on loop: EventLoop) {
    pointer = dbus_message_ref(message.pointer)
    self.sender = sender
    self.size = size
    self.room = room
    self.loop = loop
    room.add(size, of: sender)
  }

  func withReader<T>(_ body: (borrowing MessageReader) -> T) -> T { body(MessageReader(borrowing: pointer)) }

  deinit {
    let parts = Parts(pointer: pointer, sender: sender, size: size, room: room)
    if loop.isOnLoop { parts.letGo() } else { loop.perform { parts.letGo() } }
  }

  /// What is let go of. @unchecked: on the loop's thread only.
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

/// How much is held of whom. Confined to the loop's thread.
final class HeldRoom: @unchecked Sendable {
  // @unchecked: the connection and the messages that it holds touch it on the loop's thread only.

  /// From so many bytes on the arguments of a call are held as they came until they are wanted: values of less take
  /// little, and holding costs more than reading.
  static let shortest = 4096

  private let most: Int
  private let mostOfOne: Int
  private var bytes = 0
  private var bytesOf: [BusName: Int] = [:]

  init(most: Int, mostOfOne: Int) {
    self.most = most
    self.mostOfOne = mostOfOne
  }

  /// Whether there is room for so many bytes more; one message has room in any case.
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
