// SPDX-License-Identifier: Apache-2.0

/// The name of a program of a Snap: snapd uses `snap.NAME.APP` in labels and units.
struct SnapName: Hashable {
  /// `NAME_APP`, the name of its desktop entry; nil for programs of a Snap that are not apps, such as hooks.
  let app: String?

  var identity: CallerIdentity { .sandboxed(app: app, by: .snap) }

  /// Parses an AppArmor label: `snap.firefox.firefox (enforce)`. Complain mode counts as well, because a Snap without
  /// confinement cannot be distinguished from one whose profile could not be loaded.
  init?(label: String) {
    self.init(tag: label.prefix { $0 != " " })
  }

  /// Parses a unit: `snap.firefox.firefox-1b0c….scope`, in older versions of snapd `snap.firefox.firefox.1b0c….scope`,
  /// `snap.name.app.service` for background programs.
  init?(unit: Substring) {
    if unit.hasSuffix(".service") {
      self.init(tag: unit.dropLast(8))
    } else if unit.hasSuffix(".scope") {
      // The random part is a UUID, which is 36 bytes long.
      let name = unit.dropLast(6)
      let end = name.suffix(37)
      let isRandom =
        end.utf8.count == 37 && (end.first == "-" || end.first == ".")
        && end.dropFirst().allSatisfy { $0.isHexDigit || $0 == "-" }
      self.init(tag: isRandom ? name.dropLast(37) : name)
    } else {
      return nil
    }
  }

  private init?(tag: Substring) {
    guard tag == "snap" || tag.hasPrefix("snap.") else { return nil }
    let parts = tag.split(separator: ".", omittingEmptySubsequences: false)
    let isApp = parts.count == 3 && parts.dropFirst().allSatisfy(Self.isName)
    app = isApp ? "\(parts[1])_\(parts[2])" : nil
  }

  private static func isName(_ part: Substring) -> Bool {
    !part.isEmpty && part.utf8.count <= 80
      && part.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
