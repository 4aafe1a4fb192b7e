// SPDX-License-Identifier: Apache-2.0

/// A store was found damaged and has been made anew from what could be read: the user must be told.
public struct Recovery: Hashable, Sendable {
  /// What was wrong.
  public let reason: String
  /// The name that the damaged file has now, in the same folder.
  public let setAside: String
  /// How many pending requests are in the store again.
  public let restored: Int
  /// How many of these come from a copy, as they were on its day: some may have been cancelled since.
  package let fromCopy: Int
  /// How many pending requests are lost; nil: what told their number is lost as well.
  public let lost: Int?
}

extension Recovery {
  /// What happened, for whoever waits for the notifications.
  public var sentence: String {
    let kept = "\(restored) pending \(restored == 1 ? "notification is" : "notifications are") kept"
    let gone = lost.map { $0 == 0 ? "none is lost" : "\($0) lost" } ?? "it is not known how many are lost"
    let old = fromCopy == 0 ? "" : ", \(fromCopy) of them as they were in the last daily copy"
    return "The file that holds them was damaged: \(kept)\(old), \(gone). It was set aside as \(setAside)."
  }

  /// A line for the settings, where the report stays until it was taken.
  var text: String { "\(restored)\t\(fromCopy)\t\(lost.map(String.init) ?? "?")\t\(setAside)\t\(reason)" }

  init?(text: String) {
    let fields = text.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
    guard fields.count == 5, let restored = Int(fields[0]), let fromCopy = Int(fields[1]) else { return nil }
    self.init(
      reason: String(fields[4]), setAside: String(fields[3]), restored: restored, fromCopy: fromCopy,
      lost: Int(fields[2]))
  }
}
