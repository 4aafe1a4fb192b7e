// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel
internal import Scheduling

/// Listings, and the options of their calls.
extension CenterInterface {
  static func list(_ method: CenterMethods.Listing, _ kind: ListingKind, of center: CenterService) -> Method {
    Method(method) { _, app, options, call in
      let reader = await center.rights(of: Caller(call.sender))
      let page = try await center.list(kind, try page(of: kind, app, options, for: reader))
      return (page.rows, page.next)
    }
  }

  /// The page that the options of a call ask for.
  static func page(
    of kind: ListingKind, _ app: String, _ options: [String: Value], for reader: Rights
  ) throws(CenterError) -> Page {
    var page = Page(app: try reader.narrowed(app.isEmpty ? nil : app), reader: reader)
    for (key, value) in options.sorted(by: { $0.key < $1.key }) {
      switch (key, PlainValue(value)) {
      case ("after", .text(let text)?): page.after = try PageCursor.place(text, of: kind, for: reader)
      case ("limit", .integer(let limit)?):
        guard limit >= 0 else { throw CenterError(.invalidRequest, "'limit' must not be negative") }
        page.limit = limit == 0 ? Page.most : Int(min(limit, Int64(Page.most)))
      case ("search", .text(let text)?):
        guard text.utf8.count <= TextSearch.longest else {
          throw CenterError(.limitExceeded, "'search' is longer than \(TextSearch.longest) bytes")
        }
        page.search = TextSearch(text)
      case ("since", _) where kind == .pending:
        throw CenterError(.invalidRequest, "'since' is for Delivered and History: pending requests have not come yet")
      case ("since", .integer(let seconds)?):
        guard 0...latestEnd ~= seconds else {
          throw CenterError(.invalidRequest, "'since' must be in seconds since 1970")
        }
        page.since = Timestamp(milliseconds: seconds * 1000)
      case ("limit", _), ("since", _): throw CenterError(.invalidRequest, "'\(key)' must be a whole number")
      case ("after", _), ("search", _): throw CenterError(.invalidRequest, "'\(key)' must be a text")
      default:
        throw CenterError(.invalidRequest, "'\(DisplayText.line(key))' is not one of after, limit, search and since")
      }
    }
    return page
  }
}
