// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import EventLoop

/// An answer, which the task that called reads when it continues. Owns a reference to the message.
final class ReceivedReply: @unchecked Sendable {
  // @unchecked: as with `HeldMessage`.
  private let pointer: OpaquePointer
  private let loop: EventLoop

  /// Use only on the loop's thread.
  init(_ message: borrowing MessageReader, on loop: EventLoop) {
    pointer = dbus_message_ref(message.pointer)
    self.loop = loop
  }

  /// Reads the results. The peer may send more than are expected: a later version of it does.
  func read<Values>(_ results: Arguments<Values>, of member: MemberName) throws(CallError) -> Values {
    let message = MessageReader(borrowing: pointer)
    guard message.beginsWith(results.signature) else {
      throw .failed(
        BusError(
          .unexpectedReply, "the answer to '\(member)' has the types '\(message.signature)', not '\(results.signature)'"
        ))
    }
    var reader = ArgumentReader(message)
    do throws(BusError) { return try results.read(from: &reader) } catch {
      throw .failed(error.code == .invalidValue ? BusError(.unexpectedReply, error.message) : error)
    }
  }

  /// Reads all results as values.
  func values() throws(CallError) -> [Value] {
    do throws(BusError) { return try MessageReader(borrowing: pointer).arguments() } catch { throw .failed(error) }
  }

  deinit {
    let parts = Parts(pointer: pointer)
    if loop.isOnLoop { parts.letGo() } else { loop.perform { parts.letGo() } }
  }

  /// The reference to release. @unchecked: used on the loop's thread only.
  private struct Parts: @unchecked Sendable {
    let pointer: OpaquePointer
    func letGo() { dbus_message_unref(pointer) }
  }
}
