// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import Links
internal import NotificationModel

/// The outbox of the center on the session bus.
///
/// Confined to the loop's thread, which is the connection's, too.
final class BusOutbox: OutboxCenter {
  private let connection: Connection
  private let device: DeviceID

  init(on connection: Connection, device: DeviceID) { (self.connection, self.device) = (connection, device) }

  func outgoing() async -> [OutgoingItem]? {
    guard let rows = try? await connection.call(CenterMethods.outgoing, of: CenterBus.runningCenter) else { return nil }
    return rows.compactMap { row in
      row["number"]?.integer.flatMap { UInt64(exactly: $0) }.map {
        OutgoingItem(
          number: $0, link: row["link"]?.string, isCall: row["kind"]?.string == "http",
          isAnswer: row["kind"]?.string == "answer")
      }
    }
  }

  func take(_ number: UInt64) async -> TakeAnswer {
    do throws(CallError) {
      let words = try await connection.call(CenterMethods.takeOutgoing, of: CenterBus.runningCenter, number)
      let plain = words.compactMapValues { value -> PlainValue? in
        if let texts = value.strings { return .list(texts.map { .text($0) }) }
        return value.string.map { .text($0) } ?? value.integer.map { .integer($0) }
      }
      if let call = OutgoingCall(plain) { return .call(call) }
      if let answer = OutgoingAnswer(plain, from: device, MachineName.current) { return .answer(answer) }
      // One that a newer center makes, and this program does not understand.
      guard let message = OutgoingMessage(plain, from: device) else { return .gone }
      return .message(message)
    } catch {
      if case .refused(let refusal) = error, RefusalCode(refusal.name) == .notFound { return .gone }
      return .unavailable
    }
  }

  func finish(_ number: UInt64, as end: OutgoingEnd) async -> Bool {
    let (state, detail) =
      switch end {
      case .sent: ("sent", "")
      case .failed(let reason): ("failed", reason)
      case .waiting(let reason): ("waiting", reason)
      }
    let answer: Void? = try? await connection.call(
      CenterMethods.finishOutgoing, of: CenterBus.runningCenter, number, state, detail)
    return answer != nil
  }
}
