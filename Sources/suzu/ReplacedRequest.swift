// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel

/// A pending request that `suzu notify --id` replaces. The new request is a whole one, so what it does not repeat is
/// lost; `suzu edit` keeps it.
struct ReplacedRequest {
  private let row: ListedRequest

  init(_ row: ListedRequest) { self.row = row }

  /// The keys that say when, and those that every request has.
  private static let replaced: Set<String> = Set(
    NotifyCommand.times + [
      "app", "id", "title", "repeat", "zone", "from", "until", "count", "missed", "grace", "wake",
      "cooldown", "during", "now",
    ])

  /// A line about the keys that `request` does not repeat; nil if there are none.
  func loss(in request: [String: PlainValue]) -> String? {
    let old = ListingKey.request(in: row.words)
    let others = NotificationRequest.Key.allCases.map(\.rawValue).filter { key in
      old[key] != nil && request[key] == nil && !Self.replaced.contains(key)
    }
    let repetitions = ["every", "rule", "repeat"]
    let wasRepeated = repetitions.contains { old[$0] != nil } && !repetitions.contains { request[$0] != nil }
    let lost = (wasRepeated ? ["repetition"] : []) + others
    guard let last = lost.last else { return nil }
    let names = lost.count == 1 ? last : lost.dropLast().joined(separator: ", ") + " and " + last
    let isPlural = lost.count > 1 || ["actions", "hints"].contains(last)
    let id = PrintableText.line(row.id, atMost: 60)
    let flag = NotifyCommand.times.first { request[$0] != nil }.map { " --\($0) …" } ?? " …"
    let loss = "'\(id)' replaced a pending request, whose \(names) \(isPlural ? "are" : "is") lost; "
    // An edit cannot give a repetition one date.
    if wasRepeated { return loss + "to be reminded once in between, use another id" }
    return loss + "to change only a part, use 'suzu edit \(id)\(flag)'"
  }
}
