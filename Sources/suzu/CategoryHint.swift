// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel

/// Adds a similar category to the center's error about an unknown one.
struct CategoryHint {
  private let center: Center

  init(_ center: Center) { self.center = center }

  /// The end of the center's message about an unknown category.
  private static let ending = ": see suzu category"

  /// - Parameter advice: what to do if there is no similar one.
  func message(
    _ message: String, for requests: [[String: PlainValue]], otherwise advice: String = "; see 'suzu category list'"
  ) async -> String {
    guard message.hasSuffix(Self.ending), message.contains("'category' names '") else { return message }
    let problem = message.dropLast(Self.ending.count)
    for request in requests {
      guard case .text(let category)? = request["category"], problem.contains("names '\(category)', which") else {
        continue
      }
      let app = if case .text(let app)? = request["app"] { app } else { NotificationRequest.defaultApp }
      let known = ((try? await center.categories(app: app)) ?? []).map(\.category.id)
      let near = suggestion(for: category, among: known)
      if !near.isEmpty { return problem + near }
      return problem + (await file(of: category) ?? advice)
    }
    return problem + advice
  }

  /// The file that should define the category, and cannot be read: the one of that name, or else the first.
  private func file(of category: String) async -> String? {
    guard let problems = try? await center.categoryProblems(), let first = problems.first else { return nil }
    if let own = problems.first(where: { $0.contains("/\(category).json:") }) {
      return "; its file has an error: \(own)"
    }
    return "; a file of categories has an error: \(first)"
  }
}
