// SPDX-License-Identifier: Apache-2.0
internal import Scheduling

/// Remembers where callers that read a listing page by page stand, so that the next page need not be searched from the
/// start.
///
/// A page that does not begin where the caller's last one ended is found by its offset.
struct ListingWalks {
  private struct Key: Hashable {
    let caller: Caller
    let kind: ListingKind
    let app: String?
  }

  private struct Mark {
    let offset: Int
    let place: ListingPlace
    let date: Duration
  }

  private var marks: [Key: Mark] = [:]
  /// How many positions are remembered.
  static let most = 64
  /// How long a position is remembered.
  static let timeout: Duration = .seconds(60)

  /// The walk that reads this page. A position is used for one page.
  mutating func walk(_ kind: ListingKind, _ page: Page, now: Duration) -> ListingWalk {
    let start = ListingWalk(app: page.app, offset: page.offset)
    guard let mark = marks.removeValue(forKey: Key(caller: page.caller, kind: kind, app: page.app)),
      page.offset > 0, mark.offset == page.offset, now - mark.date < Self.timeout
    else { return start }
    return ListingWalk(app: page.app, behind: mark.place)
  }

  /// Remembers where the page ended.
  mutating func keep(_ kind: ListingKind, _ page: Page, count: Int, at place: ListingPlace, now: Duration) {
    if marks.count >= Self.most { marks = marks.filter { now - $0.value.date < Self.timeout } }
    if marks.count >= Self.most { marks = [:] }
    marks[Key(caller: page.caller, kind: kind, app: page.app)] = Mark(
      offset: page.offset + count, place: place, date: now)
  }
}
