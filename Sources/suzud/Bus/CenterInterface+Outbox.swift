// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel
internal import Scheduling

extension CenterInterface {
  static func outboxMethods(of center: CenterService) -> [Method] {
    [
      Method(CenterMethods.outgoing) { _, call in
        try await check(call, center)
        return try await center.outgoing(for: Caller(call.sender)).map { record in
          var words: [String: Value] = ["number": .uint64(UInt64(record.number.value))]
          switch record.subject {
          case .call: words["kind"] = "http"
          case .answer: words["kind"] = "answer"
          case .step: break
          }
          words["link"] = record.link.map { .string($0) }
          return words
        }
      },
      Method(CenterMethods.takeOutgoing) { _, number, call in
        try await check(call, center)
        return try await center.takeOutgoing(try self.number(number)).properties
      },
      Method(CenterMethods.finishOutgoing) { _, number, state, detail, call in
        try await check(call, center)
        guard let state = states[state] else {
          throw CenterError(.invalidRequest, "'state' must be one of \(states.keys.sorted().joined(separator: ", "))")
        }
        try await center.finishOutgoing(try self.number(number), as: state, detail: detail)
      },
    ]
  }

  static func answerMethods(of center: CenterService) -> [Method] {
    [
      Method(CenterMethods.answered) { _, app, push, name, call in
        try await check(call, center)
        guard !push.isEmpty, push.utf8.count <= 255, name.utf8.count <= 255 else {
          throw CenterError(.invalidRequest, "'push' and 'name' must have at most 255 bytes")
        }
        let rights = await center.rights(of: Caller(call.sender))
        try await center.answered(
          try newAppName(app), push: push, by: name.isEmpty ? nil : DisplayText.line(name), rights,
          from: Caller(call.sender))
      }
    ]
  }

  /// Only the user's own programs may send: a sandboxed one is refused.
  private static func check(_ call: IncomingCall, _ center: CenterService) async throws {
    let rights = await center.rights(of: Caller(call.sender))
    try rights.checkIsKnown()
    try rights.checkAll("sending elsewhere")
  }

  private static let states: [String: OutgoingRecord.State] = ["sent": .sent, "failed": .failed, "waiting": .waiting]

  private static func number(_ number: UInt64) throws(CenterError) -> OutgoingRecord.Number {
    guard let value = Int64(exactly: number) else { throw CenterError(.invalidRequest, "'number' is too large") }
    return OutgoingRecord.Number(value)
  }
}

extension OutgoingContent {
  fileprivate var properties: [String: Value] {
    switch self {
    case .message(let message): message.properties
    case .call(let call): call.properties
    case .answer(let words):
      words.compactMapValues { value in
        switch value {
        case .text(let text): .string(text)
        case .integer(let integer): .int64(integer)
        default: nil
        }
      }
    }
  }
}

extension HTTPCall {
  fileprivate var properties: [String: Value] {
    var headers = headers
    if let type = bodyType { headers["Content-Type"] = type }
    var words: [String: Value] = ["url": .string(url), "method": .string(method.rawValue)]
    if !headers.isEmpty {
      words["headers"] = .strings(headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
    }
    words["body"] = bodyText.map { .string($0) }
    words["link"] = link.map { .string($0) }
    return words
  }
}

extension OutgoingMessage {
  fileprivate var properties: [String: Value] {
    var words: [String: Value] = [
      "app": .string(app), "id": .string(id), "delivery": .uint64(UInt64(delivery.value)), "title": .string(title),
      "body": .string(body), "level": .string(level.rawValue),
    ]
    words["url"] = url.map { .string($0) }
    return words
  }
}
