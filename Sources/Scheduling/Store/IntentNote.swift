// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// What the next commit will write about a request whose condition was met, noted before its notification is shown.
///
/// The commit takes longer than all else between an event and its notification. The note is one short write to a file
/// of its own, and survives the end of the center as a commit without a sync does. If the center is killed before the
/// commit, its next start commits what is noted.
struct IntentNote: Equatable {
  let revision: StoredRequest.Revision
  /// The number of the request's dates that had passed before this one. If the row has another number, the commit that
  /// the note announced has been made.
  let fired: Int64
  /// Whether the request waits for its condition again.
  let isRepeated: Bool
  /// When the condition was met.
  let date: Timestamp
  /// The number of earlier times that this one includes.
  let missed: Int64
  /// What happened; its texts contain no NUL.
  let event: [String: String]
  /// The state of the condition after that.
  let armed: ArmedState
}

extension IntentNote {
  /// The stored form: texts that each end with a NUL, behind their checksum and before an empty one. Not JSON, because
  /// the notification waits for it.
  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.checksumSize)
    bytes.reserveCapacity(512)
    func add(_ text: String) {
      bytes.append(contentsOf: text.utf8)
      bytes.append(0)
    }
    for number in [revision.value, fired, isRepeated ? 1 : 0, date.milliseconds, missed] { add(String(number)) }
    add(armed.text)
    for (key, value) in event {
      add(key)
      add(value)
    }
    bytes.append(0)
    let checksum = Self.checksum(bytes[Self.checksumSize...])
    withUnsafeBytes(of: checksum.littleEndian) { for index in 0..<$0.count { bytes[index] = $0[index] } }
    return bytes
  }

  /// Reads the stored form at the beginning of some bytes; nil if there is none, or a damaged one.
  init?(_ bytes: [UInt8]) {
    var rest = bytes.dropFirst(Self.checksumSize)
    func next() -> String? {
      guard let end = rest.firstIndex(of: 0) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    func nextNumber() -> Int64? { next().flatMap { Int64($0) } }
    guard let revision = nextNumber(), let fired = nextNumber(), let isRepeated = nextNumber(), let date = nextNumber(),
      let missed = nextNumber(), let armed = next().flatMap({ ArmedState($0) })
    else { return nil }
    var event: [String: String] = [:]
    while let key = next(), !key.isEmpty { event[key] = next() }
    let checksum = Self.checksum(bytes[Self.checksumSize..<rest.startIndex])
    guard withUnsafeBytes(of: checksum.littleEndian, { $0.elementsEqual(bytes.prefix(Self.checksumSize)) }) else {
      return nil
    }
    self.init(
      revision: StoredRequest.Revision(revision), fired: fired, isRepeated: isRepeated == 1,
      date: Timestamp(milliseconds: date), missed: missed, event: event, armed: armed)
  }

  private static let checksumSize = 4

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var crc = CRC32()
    bytes.withUnsafeBytes { crc.add($0) }
    return crc.value
  }
}
