// SPDX-License-Identifier: Apache-2.0

/// Requests as one text, for a row of the table `intake`. Each field is its length in bytes, a colon, and its bytes;
/// `-` stands for a missing field.
struct RequestList {
  private var bytes: [UInt8] = []

  init(_ part: BatchPart) {
    bytes.reserveCapacity(part.positions.reduce(0) { $0 + part.requests[$1].payload.utf8.count + Self.besidesPayload })
    for position in part.positions { add(part.requests[position]) }
  }

  /// About the length of the other fields of a request.
  private static let besidesPayload = 128

  var text: String { String(decoding: bytes, as: UTF8.self) }

  private mutating func add(_ request: NewRequest) {
    add(request.app)
    add(request.id)
    add(request.payload)
    let date = request.start.date
    add((date?.due.milliseconds).map(String.init))
    add(date?.wall)
    add(date?.zone)
    add(String(date?.fold ?? 0))
    add(date?.isElapsed == true ? "1" : nil)
    add(request.wakes ? "1" : nil)
    add(request.asker)
    switch request.start {
    case .at(_, let passed): add(passed == 0 ? nil : String(passed))
    case .now: add(Self.now)
    case .armed: add(Self.armed)
    }
  }

  private static let now = "1"
  private static let armed = "on"

  /// - Parameter word: the number of dates before this one, or the stored form of a start without a date.
  private static func start(_ date: PlannedDate?, _ word: String?) -> Start? {
    if let date { return .at(date, passed: word.flatMap { Int64($0) } ?? 0) }
    guard let word else { return nil }
    if word == now { return .now }
    return word == armed ? .armed : nil
  }

  private mutating func add(_ field: String?) {
    guard var field else {
      bytes.append(UInt8(ascii: "-"))
      return
    }
    field.withUTF8 { utf8 in
      bytes += String(utf8.count).utf8
      bytes.append(UInt8(ascii: ":"))
      bytes.append(contentsOf: utf8)
    }
  }

  /// Parses such a text; nil if it is invalid.
  static func requests(in text: String) -> [NewRequest]? {
    var rest = Array(text.utf8)[...]
    var requests: [NewRequest] = []
    while !rest.isEmpty {
      var fields: [String?] = []
      for _ in 0..<11 {
        guard let field = field(&rest) else { return nil }
        fields.append(field.text)
      }
      guard let app = fields[0], let id = fields[1], let payload = fields[2] else { return nil }
      let date = fields[3].flatMap { Int64($0) }.map { due in
        PlannedDate(
          due: Timestamp(milliseconds: due), wall: fields[4], zone: fields[5], fold: fields[6].flatMap { Int($0) } ?? 0,
          isElapsed: fields[7] != nil)
      }
      guard let start = start(date, fields[10]) else { return nil }
      requests.append(
        NewRequest(app: app, id: id, payload: payload, start: start, wakes: fields[8] != nil, asker: fields[9]))
    }
    return requests
  }

  private struct Field { let text: String? }

  private static func field(_ rest: inout ArraySlice<UInt8>) -> Field? {
    if rest.first == UInt8(ascii: "-") {
      rest = rest.dropFirst()
      return Field(text: nil)
    }
    guard let colon = rest.firstIndex(of: UInt8(ascii: ":")),
      let count = Int(String(decoding: rest[..<colon], as: UTF8.self)), count >= 0, rest.endIndex - colon > count
    else { return nil }
    let end = colon + 1 + count
    defer { rest = rest[end...] }
    return Field(text: String(decoding: rest[(colon + 1)..<end], as: UTF8.self))
  }
}
