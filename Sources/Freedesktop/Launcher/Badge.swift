// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// The marks that a launcher draws on an app's icon.
public struct Badge: Hashable, Sendable {
  /// The number; nil or 0 for none.
  public var count: Int64?
  /// Progress from 0 to 1; nil for no bar.
  public var progress: Double?
  /// Whether the icon asks for attention.
  package var isUrgent: Bool

  /// Makes a badge; without arguments, an empty one.
  public init(count: Int64? = nil, progress: Double? = nil, isUrgent: Bool = false) {
    self.count = count
    self.progress = progress
    self.isUrgent = isUrgent
  }

  /// The properties of the launcher API. Always all of them: a launcher keeps values that are not mentioned.
  var properties: [String: Value] {
    let count = max(count ?? 0, 0)
    // NaN or infinity would draw nonsense, or crash a launcher.
    let progress = progress.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
    return [
      "count": .int64(count), "count-visible": .boolean(count > 0),
      "progress": .double(progress ?? 0), "progress-visible": .boolean(progress != nil),
      "urgent": .boolean(isUrgent),
    ]
  }
}
