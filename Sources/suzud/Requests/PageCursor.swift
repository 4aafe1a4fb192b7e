// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The position of a listing, as callers get it and give it back.
///
/// It names the last row that was looked at, so that the next page is found by an index, wherever it is in the list,
/// and rows that come or go in between change nothing.
enum PageCursor {
  /// The longest text that can be a cursor.
  private static let longest = 64

  /// - Parameter reader: the numbers of the rows would tell a sandboxed program how many requests others make, so it
  ///   gets them sealed.
  static func text(_ place: ListingPlace, of kind: ListingKind, for reader: Rights) -> String {
    reader == .all ? kind.letter + place.description : SealedPlace(place, kind).text
  }

  /// The position of a text; nil for an empty one, which means the beginning.
  static func place(_ text: String, of kind: ListingKind, for reader: Rights) throws(CenterError) -> ListingPlace? {
    if text.isEmpty { return nil }
    let place: ListingPlace? =
      if text.utf8.count > longest {
        nil
      } else if reader == .all {
        text.hasPrefix(kind.letter) ? ListingPlace(String(text.dropFirst(kind.letter.count))) : nil
      } else {
        SealedPlace(text)?.place(of: kind)
      }
    guard let place else {
      throw CenterError(
        .invalidRequest, "'after' is not a cursor of this list: give the 'next' of its last page, or begin without one")
    }
    return place
  }
}

extension ListingKind {
  fileprivate var letter: String {
    switch self {
    case .pending: "p"
    case .delivered: "d"
    case .history: "h"
    }
  }
}

/// A position that only this process can read: it ends with the center, and its reader begins again.
///
/// Four rounds of a Feistel network, whose function is Swift's hash: its key is random in each process.
private struct SealedPlace {
  private var left: UInt64
  private var right: UInt64
  private static let undated = Int64.min + 1
  /// The numbers of rows are below this, and those of a text that is not ours are not, except by one chance in 65536.
  private static let mostNumbers: Int64 = 1 << 47

  init(_ place: ListingPlace, _ kind: ListingKind) {
    left = UInt64(bitPattern: place.due?.milliseconds ?? Self.undated)
    right = UInt64(bitPattern: place.number)
    for round in 0..<4 { (left, right) = (right, left ^ Self.mask(round, right, kind)) }
  }

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt64($0, radix: 16) }
    guard parts.count == 2, let left = parts[0], let right = parts[1] else { return nil }
    (self.left, self.right) = (left, right)
  }

  var text: String { String(left, radix: 16) + "." + String(right, radix: 16) }

  func place(of kind: ListingKind) -> ListingPlace? {
    var (left, right) = (left, right)
    for round in (0..<4).reversed() { (left, right) = (right ^ Self.mask(round, left, kind), left) }
    let (due, number) = (Int64(bitPattern: left), Int64(bitPattern: right))
    guard 0..<Self.mostNumbers ~= number else { return nil }
    return ListingPlace(due: due == Self.undated ? nil : Timestamp(milliseconds: due), number: number)
  }

  private static func mask(_ round: Int, _ half: UInt64, _ kind: ListingKind) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(round)
    hasher.combine(half)
    hasher.combine(kind)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
