// SPDX-License-Identifier: Apache-2.0

/// The header of a message.
struct MessageHeader {
  /// As on the wire.
  enum Kind: UInt8 {
    case call = 1
    case reply = 2
    case refusal = 3
    case signal = 4
  }

  let kind: Kind
  var path: ObjectPath?
  var interface: InterfaceName?
  var member: MemberName?
  var errorName: ErrorName?
  var replySerial: UInt32?
  var destination: BusName?
  var wantsReply = true
  var startsService = true

  var flags: UInt8 { (wantsReply ? 0 : 1) | (startsService ? 0 : 2) }

  init(_ member: MemberName, of object: RemoteObject, wantsReply: Bool = true) {
    kind = .call
    path = object.path
    interface = object.interface
    self.member = member
    destination = object.peer
    startsService = object.startsService
    self.wantsReply = wantsReply
  }

  init(_ signal: Signal) {
    kind = .signal
    path = signal.path
    interface = signal.interface
    member = signal.member
    destination = signal.destination
    wantsReply = false
  }

  /// Creates the header of an answer; with an error name, of a refusal.
  init(answering call: ReplyAddress, refusal errorName: ErrorName? = nil) {
    kind = errorName == nil ? .reply : .refusal
    self.errorName = errorName
    replySerial = call.serial
    destination = call.sender
    wantsReply = false
  }
}

/// The parts of a call that a reply needs; the call itself may be large.
struct ReplyAddress: Sendable {
  let sender: BusName
  let serial: UInt32
  let wantsReply: Bool
}
