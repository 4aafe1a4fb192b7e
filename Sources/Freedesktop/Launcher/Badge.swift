// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// What the launcher draws on an app's icon.
public struct Badge: Hashable, Sendable {
  /// The number; nil or 0: none.
  public var count: Int64?
  /// How far something is, from 0 to 1; nil: no bar.
  public var progress: Double?
  /// Whether the icon asks for attention.
  public var isUrgent: Bool

  /// A badge; without arguments, none.
  public init(count: Int64? = nil, progress: Double? = nil, isUrgent: Bool = false) {
    self.count = count
    self.progress = progress
    self.isUrgent = isUrgent
  }

  /// As the launcher API names it. All of it each time: a launcher keeps what is not mentioned.
  var properties: [String: Value] {
    let count = max(count ?? 0, 0)
    // One that is no number at all would draw nonsense, or crash somebody.
    let progress = progress.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
    return [
      "count": .int64(count), "count-visible": .boolean(count > 0),
      "progress": .double(progress ?? 0), "progress-visible": .boolean(progress != nil),
      "urgent": .boolean(isUrgent),
    ]
  }
}
