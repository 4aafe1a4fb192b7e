// SPDX-License-Identifier: Apache-2.0
internal import Scheduling

/// Where callers stand who read a listing page by page, so that no page has to be looked for from the beginning again.
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
  /// How many are kept.
  static let most = 64
  /// How long a caller may take for a page before its place is forgotten.
  static let timeout: Duration = .seconds(60)

  /// The walk that reads this page; a caller's mark is good for one page.
  mutating func walk(_ kind: ListingKind, _ page: Page, now: Duration) -> ListingWalk {
    let start = ListingWalk(app: page.app, offset: page.offset)
    guard let mark = marks.removeValue(forKey: Key(caller: page.caller, kind: kind, app: page.app)),
      page.offset > 0, mark.offset == page.offset, now - mark.date < Self.timeout
    else { return start }
    return ListingWalk(app: page.app, behind: mark.place)
  }

  /// The page has ended there.
  mutating func keep(_ kind: ListingKind, _ page: Page, count: Int, at place: ListingPlace, now: Duration) {
    if marks.count >= Self.most { marks = marks.filter { now - $0.value.date < Self.timeout } }
    if marks.count >= Self.most { marks = [:] }
    marks[Key(caller: page.caller, kind: kind, app: page.app)] = Mark(
      offset: page.offset + count, place: place, date: now)
  }
}
