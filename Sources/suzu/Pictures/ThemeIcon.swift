// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// Finds a named icon as a PNG file: in the theme hicolor, where programs install theirs, in Adwaita, which has the
/// usual names, and among the pixmaps (https://specifications.freedesktop.org/icon-theme-spec/latest/).
///
/// A terminal has no icon theme of its own, so themes are not searched by their `index.theme`.
enum ThemeIcon {
  private static let themes = ["hicolor", "Adwaita"]
  /// The best sizes for a few lines of text come first.
  private static let sizes = ["64x64", "96x96", "128x128", "72x72", "48x48", "256x256", "32x32", "24x24", "16x16"]
  private static let contexts = [
    "apps", "status", "legacy", "devices", "actions", "categories", "emblems", "places", "mimetypes", "emotes",
  ]

  /// The path of the icon; nil if there is none, or if the name is none.
  static func path(of name: String, in environment: (String) -> String? = EnvironmentVariable.value) -> String? {
    guard isName(name) else { return nil }
    for folder in folders(environment) {
      for theme in themes {
        for size in sizes {
          for context in contexts {
            let path = "\(folder)/icons/\(theme)/\(size)/\(context)/\(name).png"
            if access(path, R_OK) == 0 { return path }
          }
        }
      }
      let path = "\(folder)/pixmaps/\(name).png"
      if access(path, R_OK) == 0 { return path }
    }
    return nil
  }

  /// The folders of the base directory specification, the user's first.
  private static func folders(_ environment: (String) -> String?) -> [String] {
    let own = environment("XDG_DATA_HOME") ?? environment("HOME").map { $0 + "/.local/share" }
    let shared = (environment("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
    return ([own].compactMap(\.self) + shared).filter { $0.hasPrefix("/") }.prefix(16).map { $0 }
  }

  /// Whether it is one part of a path.
  private static func isName(_ text: String) -> Bool {
    1...128 ~= text.utf8.count && text.utf8.first != UInt8(ascii: ".")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
          UInt8(ascii: "+"):
          true
        default: false
        }
      }
  }
}
