// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The notification that tells of several kept ones.
struct HeldDigest {
  enum Kind {
    /// The collected ones of an app.
    case batch(of: AppID, more: Int)
    /// Those of all apps that came while the user was away.
    case away(more: Int)
    /// Those of all apps that came during quiet hours.
    case quiet(more: Int)

    /// How many are only counted.
    var more: Int {
      switch self {
      case .batch(_, let more), .away(let more), .quiet(let more): more
      }
    }
  }

  static let batchID: RequestID = "dev.suzu.batch"
  static let awayID: RequestID = "dev.suzu.away"
  static let quietID: RequestID = "dev.suzu.quiet"
  /// How many titles and summaries it has.
  private static let mostLines = 10
  private static let longestTitle = 120

  let request: NotificationRequest

  init(_ due: [Due], _ kind: Kind, _ texts: DigestTexts, history: () -> Action? = { HistoryWindow.action() }) {
    let count = due.count + kind.more
    let (app, id, title, level): (AppID, RequestID, String, NotificationRequest.Level) =
      switch kind {
      case .batch(let owner, _): (owner, Self.batchID, "\(count) notifications", .passive)
      case .away: (.suzu, Self.awayID, "While you were away", .active)
      case .quiet: (.suzu, Self.quietID, "During quiet hours", .active)
      }
    var content = NotificationRequest.Content(title: title)
    content.body = Self.lines(of: due, count: count, in: app, texts).joined(separator: "\n")
    content.level = level
    content.actions = history().map { [$0] } ?? []
    request = NotificationRequest(trusted: content, app: app, id: id, schedule: .now)
  }

  /// The most relevant ones first, and those that are as relevant in the order in which they came; the title says how
  /// many there are.
  private static func lines(of due: [Due], count: Int, in app: AppID, _ texts: DigestTexts) -> [String] {
    let entries = entries(of: due, texts)
    var (chosen, room, left) = ([Entry](), mostLines, count)
    // The last ones are the newest.
    for entry in entries.sorted(by: { ($0.relevance, $0.order) > ($1.relevance, $1.order) }) {
      let size = entry.rest.count > 0 ? 2 : 1
      guard size <= room else { break }
      chosen.append(entry)
      room -= size
      left -= entry.members
    }
    chosen.sort { ($1.relevance, $0.order) < ($0.relevance, $1.order) }
    let lines = chosen.flatMap { $0.lines(in: app, texts) }
    guard left > 0 else { return lines }
    let isByDate = entries.allSatisfy { $0.relevance == 0 }
    return isByDate ? ["\(left) earlier ones"] + lines : lines + ["\(left) others"]
  }

  /// One for each group with a summary, and one for each other request.
  private static func entries(of due: [Due], _ texts: DigestTexts) -> [Entry] {
    var entries: [Entry] = []
    var places: [SummaryGroup: Int] = [:]
    for (order, one) in due.enumerated() {
      let format = texts.areHidden(of: one.request.app) ? nil : texts.summary(of: one)
      guard let format, let group = SummaryGroup(one.request) else {
        entries.append(Entry(one, order: order))
        continue
      }
      if let place = places[group] {
        entries[place].add(one, order: order)
      } else {
        places[group] = entries.count
        entries.append(Entry(one, order: order, format: format))
      }
    }
    return entries
  }
}

extension HeldDigest {
  /// A request, or the most relevant of a group and what the category says of the rest.
  fileprivate struct Entry {
    private var first: Due
    private(set) var order: Int
    private let format: SummaryFormat?
    private(set) var rest = GroupSummary()
    private(set) var members = 1

    init(_ due: Due, order: Int, format: SummaryFormat? = nil) {
      first = due
      self.order = order
      self.format = format
    }

    var relevance: Double { Self.relevance(of: first) }

    private static func relevance(of due: Due) -> Double { due.request.content.relevance ?? 0 }

    mutating func add(_ due: Due, order: Int) {
      // The newer of two that are as relevant.
      let isFirst = Self.relevance(of: due) >= relevance
      rest.add((isFirst ? first : due).request.content)
      if isFirst { first = due }
      self.order = order
      members += 1
    }

    func lines(in app: AppID, _ texts: DigestTexts) -> [String] {
      let owner = first.request.app
      let name = DisplayText.line(owner.text)
      let prefix = owner == app || owner == .suzu ? "" : name + ": "
      if texts.areHidden(of: owner) { return [prefix.isEmpty ? "Notification" : name] }
      let content = first.request.content
      let title = DisplayText.line(content.title.isEmpty ? content.body ?? "" : content.title)
      let short = title.count > longestTitle ? title.prefix(longestTitle) + "…" : title[...]
      guard let format, rest.count > 0 else { return [prefix + short] }
      return [prefix + short, prefix + rest.text(format, app: texts.name(of: owner))]
    }
  }
}
