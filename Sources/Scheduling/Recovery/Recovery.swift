// SPDX-License-Identifier: Apache-2.0

/// The report of a damaged store that was rebuilt from its readable parts; the user must be told.
public struct Recovery: Hashable, Sendable {
  /// The kind of damage.
  public let reason: String
  /// The new name of the damaged file, in the same folder.
  public let setAside: String
  /// The number of recovered pending requests.
  public let restored: Int
  /// How many of these come from a copy, in the state of that day: some may have been cancelled since.
  package let fromCopy: Int
  /// The number of lost pending requests; nil if it is unknown.
  public let lost: Int?
}

extension Recovery {
  /// A description for the user.
  public var sentence: String {
    let kept = "\(restored) pending \(restored == 1 ? "notification is" : "notifications are") kept"
    let gone = lost.map { $0 == 0 ? "none is lost" : "\($0) lost" } ?? "an unknown number is lost"
    let old = fromCopy == 0 ? "" : ", \(fromCopy) of them as they were in the last daily copy"
    return "The file with the notifications was damaged: \(kept)\(old), \(gone). The damaged file is now \(setAside)."
  }

  /// A line for the settings, where the report is kept until it was shown.
  var text: String { "\(restored)\t\(fromCopy)\t\(lost.map(String.init) ?? "?")\t\(setAside)\t\(reason)" }

  init?(text: String) {
    let fields = text.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
    guard fields.count == 5, let restored = Int(fields[0]), let fromCopy = Int(fields[1]) else { return nil }
    self.init(
      reason: String(fields[4]), setAside: String(fields[3]), restored: restored, fromCopy: fromCopy,
      lost: Int(fields[2]))
  }
}
