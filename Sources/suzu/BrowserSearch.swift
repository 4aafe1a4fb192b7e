// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import SystemFiles

/// Looks for the browser that `xdg-open` would use for a URL of the web: on some desktops, only an app that is
/// registered for the scheme; elsewhere an installed app that declares it, `$BROWSER`, or one of the programs that it
/// knows by name.
struct BrowserSearch {
  private let environment: [String: String]

  init(environment: [String: String]) { self.environment = environment }

  /// The graphical ones of xdg-open's list. It also knows browsers for terminals, but a click has no terminal.
  private static let known = [
    "x-www-browser", "firefox", "iceweasel", "seamonkey", "mozilla", "epiphany", "konqueror", "chromium",
    "chromium-browser", "google-chrome",
  ]

  /// The desktops where xdg-open runs `gio open` and nothing else.
  private static let asksGLib: Set<String> = [
    "gnome", "gnome-classic", "gnome-flashback", "cinnamon", "x-cinnamon", "mate",
  ]

  /// Whether only a registered app counts.
  private var needsHandler: Bool {
    let desktops = environment["XDG_CURRENT_DESKTOP"]?.lowercased().split(separator: ":").map(String.init) ?? []
    return !Self.asksGLib.isDisjoint(with: desktops) && ProgramSearch(path: environment["PATH"]).path(of: "gio") != nil
  }

  /// Why a URL of this scheme does not open; nil if nothing is known against it.
  func obstacle(to scheme: String) -> String? {
    if needsHandler {
      let isRegistered = SchemeHandlers(environment: environment).hasHandler(of: scheme)
      return isRegistered ? nil : "no app is registered for '\(scheme):' URLs"
    }
    return hasBrowser ? nil : "no browser is installed"
  }

  private var hasBrowser: Bool {
    if InstalledApplications(environment: environment).declaredSchemes().contains("https") { return true }
    let search = ProgramSearch(path: environment["PATH"])
    let listed = environment["BROWSER"].map {
      $0.split(separator: ":").map { $0.prefix { $0 != " " } }.map(String.init)
    }
    // xdg-open looks at its own list only if the variable is empty.
    return (listed.flatMap { $0.isEmpty ? nil : $0 } ?? Self.known).contains { search.path(of: $0) != nil }
  }

  /// - Parameter opener: the path of `xdg-open`.
  func finding(opener: String) -> Finding {
    if needsHandler {
      guard let reason = ["https", "http"].lazy.compactMap(obstacle).first else {
        return Finding(what: "opening URLs", state: .good, text: opener)
      }
      return Finding(
        what: "opening URLs", state: .degraded,
        text:
          "\(opener) is installed, but \(reason), so they do not open; install a browser that registers itself, for "
          + "instance: apt install firefox-esr, or choose one: xdg-settings set default-web-browser NAME.desktop")
    }
    if hasBrowser { return Finding(what: "opening URLs", state: .good, text: opener) }
    let why =
      if let browser = environment["BROWSER"], !browser.isEmpty {
        "no app opens 'https:' URLs, and BROWSER is '\(browser)', which is not installed; install a browser"
      } else {
        "no browser is, so 'https:' URLs do not open; get one"
      }
    return Finding(
      what: "opening URLs", state: .degraded,
      text: "\(opener) is installed, but \(why), for instance: apt install firefox-esr")
  }
}
