// SPDX-License-Identifier: Apache-2.0
internal import CDBus

/// The one owner of a libdbus message; it never crosses an `await`.
struct MessageHandle: ~Copyable {
  let pointer: OpaquePointer

  /// Takes over the reference that libdbus returned; nil means that memory ran out.
  init(owning pointer: OpaquePointer?) throws(BusError) {
    guard let pointer else { throw BusError(.outOfResources, "libdbus is out of memory") }
    self.pointer = pointer
  }

  deinit {
    dbus_message_unref(pointer)
  }

  /// The call, ready to be sent.
  static func call(_ call: MethodCall, limit: Int) throws(BusError) -> MessageHandle {
    let message = try MessageHandle(
      owning: dbus_message_new_method_call(
        call.destination.text, call.path.text, call.interface.text, call.member.text))
    dbus_message_set_auto_start(message.pointer, call.startsService ? 1 : 0)
    try message.append(call.arguments, path: call.path, limit: limit)
    return message
  }

  /// The signal, ready to be sent.
  static func signal(_ signal: Signal, limit: Int) throws(BusError) -> MessageHandle {
    let message = try MessageHandle(
      owning: dbus_message_new_signal(signal.path.text, signal.interface.text, signal.member.text))
    if let destination = signal.destination {
      guard dbus_message_set_destination(message.pointer, destination.text) != 0 else { throw .outOfMemory }
    }
    try message.append(signal.arguments, path: signal.path, limit: limit)
    return message
  }

  /// What a reply needs of the call it answers: two words, where the call itself may be large.
  struct ReplyAddress: Sendable {
    let sender: BusName
    let serial: UInt32
    let wantsReply: Bool
  }

  /// The answer to a call.
  static func reply(_ address: ReplyAddress, _ results: [Value], limit: Int) throws(BusError) -> MessageHandle {
    let message = try MessageHandle(owning: dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_RETURN))
    try message.answer(address)
    try message.append(results, limit: limit)
    return message
  }

  /// The refusal of a call.
  static func refusal(_ address: ReplyAddress, _ error: RemoteError) throws(BusError) -> MessageHandle {
    let message = try MessageHandle(owning: dbus_message_new(DBUS_MESSAGE_TYPE_ERROR))
    guard dbus_message_set_error_name(message.pointer, error.name.text) != 0 else { throw .outOfMemory }
    try message.answer(address)
    // The text may quote what a caller sent: a NUL would be refused, and a book is no help.
    let text = String(String.UnicodeScalarView(error.message.unicodeScalars.prefix(4096).filter { $0 != "\0" }))
    try message.append([.string(text)], limit: WireSize.longestMessage)
    return message
  }

  private func answer(_ address: ReplyAddress) throws(BusError) {
    dbus_message_set_no_reply(pointer, 1)
    guard dbus_message_set_reply_serial(pointer, address.serial) != 0,
      dbus_message_set_destination(pointer, address.sender.text) != 0
    else { throw .outOfMemory }
  }

  /// Checks the values as libdbus and the bus would, and appends them.
  private func append(_ values: [Value], path: ObjectPath = .root, limit: Int) throws(BusError) {
    let size = try WireSize(of: values, path: path)
    guard size.offset <= min(limit, WireSize.longestMessage) else {
      throw BusError(.tooLarge, "a message of \(size.offset) bytes: this connection sends at most \(limit)")
    }
    var writer = MessageWriter(pointer)
    for value in values { try writer.append(value) }
  }
}

extension BusError {
  static let outOfMemory = BusError(.outOfResources, "libdbus is out of memory")
}
