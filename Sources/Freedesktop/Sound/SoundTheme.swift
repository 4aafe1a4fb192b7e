// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// Finds sounds by the [Sound Theme Specification](https://specifications.freedesktop.org/sound-theme-spec/latest/).
struct SoundTheme {
  /// A theme's entry for a name.
  enum Entry: Equatable {
    case file(String)
    /// The user, or the theme, disables the sound.
    case disabled
  }

  /// The folders that hold themes, the user's own first.
  let folders: [String]
  /// The theme that the user chose.
  let name: String

  /// The theme of the current environment and desktop settings.
  static var current: SoundTheme {
    let home = EnvironmentVariable.value(of: "HOME") ?? "/"
    let own = EnvironmentVariable.value(of: "XDG_DATA_HOME") ?? home + "/.local/share"
    let shared = EnvironmentVariable.value(of: "XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
    // Per the base directory specification, relative folders are ignored.
    let bases = [own] + shared.split(separator: ":").map(String.init)
    return SoundTheme(folders: bases.filter { $0.hasPrefix("/") }.map { $0 + "/sounds" }, name: chosen(home: home))
  }

  /// The settings file that names the theme. Desktops with a settings service are left to canberra.
  private static func chosen(home: String) -> String {
    let settings = EnvironmentVariable.value(of: "XDG_CONFIG_HOME") ?? home + "/.config"
    let places = [
      ("kdeglobals", "Sounds", "Theme"), ("gtk-4.0/settings.ini", "Settings", "gtk-sound-theme-name"),
      ("gtk-3.0/settings.ini", "Settings", "gtk-sound-theme-name"),
    ]
    let isKDE = EnvironmentVariable.value(of: "XDG_CURRENT_DESKTOP")?.split(separator: ":").contains("KDE") ?? false
    for (file, section, key) in isKDE ? places : Array(places.dropFirst()) {
      if let name = KeyFile(settings + "/" + file)?[section, key], isName(name) { return name }
    }
    return fallback
  }

  private static let fallback = "freedesktop"

  /// The entry for `name` in the theme, its parents, and outside of all themes; then for the name without its last
  /// `-…`.
  func find(_ name: String) -> Entry? {
    guard Self.isName(name) else { return nil }
    let themes = lineage
    var rest = name[...]
    while true {
      for theme in themes {
        // The only profile in common use, and no profile.
        for place in [theme + "/stereo", theme] {
          if let entry = entry(String(rest), in: place) { return entry }
        }
      }
      for place in ["stereo/", ""] {
        if let entry = entry(place + rest, in: nil) { return entry }
      }
      guard let dash = rest.lastIndex(of: "-") else { return nil }
      rest = rest[..<dash]
    }
  }

  private func entry(_ name: String, in place: String?) -> Entry? {
    let path = (place.map { $0 + "/" } ?? "") + name
    for ending in ["disabled", "oga", "ogg", "wav"] {
      for folder in folders {
        let file = "\(folder)/\(path).\(ending)"
        if FileStatus.isRegularFile(file) { return ending == "disabled" ? .disabled : .file(file) }
      }
    }
    return nil
  }

  /// The theme, its parents depth first, and finally the theme that all inherit from.
  private var lineage: [String] {
    var names: [String] = []
    var stack = [name]
    // Themes may inherit from each other in a circle.
    while let theme = stack.popLast(), names.count < 32 {
      if names.contains(theme) || theme == Self.fallback { continue }
      names.append(theme)
      stack += parents(of: theme).reversed()
    }
    return names + [Self.fallback]
  }

  private func parents(of theme: String) -> [String] {
    for folder in folders {
      guard let index = KeyFile("\(folder)/\(theme)/index.theme") else { continue }
      return (index["Sound Theme", "Inherits"] ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        .filter(Self.isName)
    }
    return []
  }

  /// Rejects names that leave the folder or look like an option.
  static func isName(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    return isPlain && !text.isEmpty && text.utf8.count <= 128 && !text.hasPrefix("-") && !text.hasPrefix(".")
  }
}
