// SPDX-License-Identifier: Apache-2.0
@testable import Links

/// What servers elsewhere send.
enum LinkSurfaces {
  static let all = [
    Surface("mqtt", mqtt),
    Surface("web-push", webPush),
  ]

  private static let longest = 1024

  /// A stream of packets: it means the same however it is divided, keeps no more than the limit, and a message that is
  /// sent again is read as it was.
  static func mqtt(_ bytes: [UInt8]) throws(Surprise) -> Bool {
    let whole = try read(bytes, part: max(bytes.count, 1))
    for part in [1, 7] {
      let divided = try read(bytes, part: part)
      try Surprise.unless(divided == whole, "in parts of \(part): \(divided), and not \(whole)")
    }
    var messages = 0
    for packet in whole.packets {
      guard case .publish(let message) = packet else { continue }
      messages += 1
      try Surprise.unless(
        !message.topic.isEmpty && !message.topic.utf8.contains { $0 == 0 || $0 == 0x23 || $0 == 0x2B },
        "the topic '\(message.topic)'")
      let again = try read(MQTTOutput.publish(message), part: 1 << 20, longest: 8192)
      try Surprise.unless(again.packets == [packet], "\(packet) is read back as \(again)")
      guard let content = message.content(id: "m", now: 0) else { continue }
      try Surprise.unless((1...64).contains(content.id.utf8.count), "the id '\(content.id)'")
      try Surprise.unless(
        content.url?.hasPrefix("http") != false || content.url?.lowercased().hasPrefix("http") == true,
        "the page '\(content.url ?? "")'")
      try Surprise.unless(
        MQTTMessage.sequence(of: message.topic).utf8.count <= 126, "the topic '\(message.topic)' has a long id")
    }
    return messages > 0
  }

  /// A message of Web Push: its parts are all of it, it has an id that the center takes, and what is taken for padding
  /// of its record is no more than that.
  static func webPush(_ bytes: [UInt8]) throws(Surprise) -> Bool {
    guard let message = EncryptedMessage(bytes) else { return false }
    try Surprise.unless(bytes.count <= EncryptedMessage.longest, "\(bytes.count) bytes are accepted")
    let size = Array(bytes[16..<20])
    let again = message.salt + size + [UInt8(message.senderKey.count)] + message.senderKey + message.record
    try Surprise.unless(again == bytes, "it is put together as \(again)")
    try Surprise.unless(message.id.utf8.count == 43, "the id '\(message.id)'")
    let id = Base64URL.decoded(message.id)
    try Surprise.unless(id == message.salt + message.record.suffix(16), "the id '\(message.id)' is \(id ?? [])")
    if let text = EncryptedMessage.text(of: message.record) {
      let padding = message.record.dropFirst(text.count)
      try Surprise.unless(
        Array(message.record.prefix(text.count)) == text && padding.first == 2
          && padding.dropFirst().allSatisfy { $0 == 0 },
        "the text \(text) of \(message.record)")
    }
    return true
  }

  private struct Result: Equatable {
    var packets: [MQTTPacket] = []
    var tooLong: [UInt16?] = []
    var fault: MQTTFault?
  }

  private static func read(
    _ bytes: [UInt8], part: Int, longest: Int = longest
  ) throws(Surprise) -> Result {
    var result = Result()
    var reader = MQTTReader(longest: longest)
    var start = 0
    do throws(MQTTFault) {
      while start < bytes.count {
        var rest = bytes[start..<min(start + part, bytes.count)]
        start += part
        while let frame = try reader.next(&rest) {
          switch frame {
          case .packet(let header, let body): result.packets.append(try MQTTPacket(header: header, body: body))
          case .tooLong(let number): result.tooLong.append(number)
          }
        }
        if reader.count > longest { return Result(fault: .tooLong) }
      }
    } catch {
      result.fault = error
    }
    try Surprise.unless(reader.count <= longest, "\(reader.count) bytes are kept")
    return result
  }
}
