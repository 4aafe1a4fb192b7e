// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A request as the desktop at home may take it: without what would name files of this machine, or another sender.
struct HomeRequest {
  let words: [String: PlainValue]
  /// The keys that were left out.
  let lost: [String]

  init(_ words: [String: PlainValue]) {
    var (words, lost) = (words, [String]())
    for key in ["icon", "image", "sound"] {
      if case .text(let text)? = words[key],
        text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") })
      {
        words[key] = nil
        lost.append(key)
      }
    }
    for key in ["appName", "hints"] where words.removeValue(forKey: key) != nil { lost.append(key) }
    (self.words, self.lost) = (words, lost)
  }

  /// A warning; nil if nothing was left out.
  var warning: String? {
    guard !lost.isEmpty else { return nil }
    return
      "your desktop shows it without \(lost.map { "'\($0)'" }.joined(separator: ", ")), which it takes from no other "
      + "machine"
  }
}
