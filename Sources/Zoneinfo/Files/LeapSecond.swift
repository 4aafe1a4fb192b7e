// SPDX-License-Identifier: Apache-2.0

/// A leap second from a file under `right/`. POSIX clocks and ``Instant`` do not count leap seconds.
public struct LeapSecond: Hashable, Sendable {
  /// The first POSIX second after it.
  public let instant: Instant
  /// The total of leap seconds since 1972, including this one.
  public let sum: Int

  /// A record as stored in the file: on a clock that counts leap seconds.
  struct Record {
    let time: Int64
    let sum: Int32

    /// Checks the rules of [section 3.2](https://www.rfc-editor.org/rfc/rfc9636#section-3.2).
    static func read(_ reader: inout ByteReader, _ count: Int, version: Int, timeSize: Int) throws(ZoneError)
      -> [Record]
    {
      var records: [Record] = []
      for index in 0..<count {
        let record = Record(time: reader.time(timeSize), sum: reader.integer(Int32.self))
        if let last = records.last {
          let isExpiry = version >= 4 && index == count - 1 && record.sum == last.sum
          // Leap seconds come at the end of a month, by convention. All earlier times are positive, so the difference
          // cannot overflow.
          guard record.time > last.time, isExpiry || record.time - last.time >= 2_419_199 else {
            throw .damaged("its leap second \(index) follows the previous one too soon")
          }
          guard isExpiry || abs(Int64(record.sum) - Int64(last.sum)) == 1 else {
            throw .damaged("its leap second \(index) does not change the count by one")
          }
        } else {
          // A version 4 file may begin in the middle of history. Realistic sums are far below this limit.
          guard version >= 4 || abs(Int64(record.sum)) == 1, record.time >= 0, abs(Int64(record.sum)) < 1 << 20 else {
            throw .damaged("its first leap second is out of range")
          }
        }
        records.append(record)
      }
      return records
    }
  }

  /// Converts the changes to a clock without leap seconds.
  static func remove(_ records: [Record], from changes: [TimeZoneFile.Change]) throws(ZoneError) -> [TimeZoneFile
    .Change]
  {
    guard !records.isEmpty else { return changes }
    var result: [TimeZoneFile.Change] = []
    result.reserveCapacity(changes.count)
    var next = records.startIndex
    for change in changes {
      while next < records.endIndex, records[next].time <= change.seconds { next += 1 }
      let sum = next == records.startIndex ? 0 : records[next - 1].sum
      let seconds = try posix(change.seconds, sum)
      // Changes during and right after a leap second have the same POSIX time: the later one counts.
      if let last = result.last, last.seconds >= seconds { result.removeLast() }
      result.append(TimeZoneFile.Change(seconds: seconds, type: change.type))
    }
    return result
  }

  static func posix(_ records: [Record]) throws(ZoneError) -> [LeapSecond] {
    var result: [LeapSecond] = []
    var before: Int32 = 0
    for record in records where record.sum != before {
      // The record's time names an inserted second itself, which counts only from the next second on.
      let counted = record.sum > before ? record.sum - 1 : record.sum
      result.append(LeapSecond(instant: Instant(try posix(record.time, counted)), sum: Int(record.sum)))
      before = record.sum
    }
    return result
  }

  /// The last record is an expiry if it does not change the sum.
  static func expiry(_ records: [Record]) -> Instant? {
    guard let last = records.last, records.dropLast().last?.sum == last.sum else { return nil }
    return Instant(last.time - Int64(last.sum))
  }

  private static func posix(_ seconds: Int64, _ sum: Int32) throws(ZoneError) -> Int64 {
    let (result, overflowed) = seconds.subtractingReportingOverflow(Int64(sum))
    if overflowed { throw .damaged("a transition is outside the supported time") }
    return result
  }
}
