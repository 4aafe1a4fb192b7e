// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// How many notifications of one group are told as one, and what they are about. It takes the same memory for any
/// number.
struct GroupSummary: Equatable {
  private static let mostNames = 3
  private static let longestName = 60

  private(set) var count = 0
  private var names: [String] = []
  private var hasMoreNames = false

  mutating func add(_ content: NotificationRequest.Content) {
    count += content.summaryCount ?? 1
    guard let name = content.summaryName.map(DisplayText.line), !name.isEmpty else { return }
    let short = name.count > Self.longestName ? name.prefix(Self.longestName) + "…" : name[...]
    if names.contains(String(short)) { return }
    if names.count < Self.mostNames { names.append(String(short)) } else { hasMoreNames = true }
  }

  /// The text of the category.
  ///
  /// - Parameter app: the name that stands for those without a name of their own.
  func text(_ format: SummaryFormat, app: String) -> String {
    DisplayText.line(format.filled(count: count, names: joinedNames ?? app))
  }

  private var joinedNames: String? {
    guard let last = names.last else { return nil }
    if hasMoreNames { return names.joined(separator: ", ") + " and others" }
    return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
  }
}

/// The requests that a category sums up together: those with its name and of one thread.
struct SummaryGroup: Hashable {
  let app: Identifier
  let category: Identifier
  let thread: Identifier?

  /// The group of a request; nil without a category.
  init?(_ request: NotificationRequest) {
    guard let category = request.content.category else { return nil }
    app = Identifier(request.app)
    self.category = Identifier(category.text)
    thread = request.content.thread.map { Identifier($0) }
  }
}
