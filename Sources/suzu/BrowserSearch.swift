// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import SystemFiles

/// Looks for the browser that `xdg-open` would use for an `https:` URL: an installed app that declares the scheme,
/// `$BROWSER`, or one of the programs that it knows by name.
struct BrowserSearch {
  private let environment: [String: String]

  init(environment: [String: String]) { self.environment = environment }

  /// The graphical ones of xdg-open's list. It also knows browsers for terminals, but a click has no terminal.
  private static let known = [
    "x-www-browser", "firefox", "iceweasel", "seamonkey", "mozilla", "epiphany", "konqueror", "chromium",
    "chromium-browser", "google-chrome",
  ]

  var hasBrowser: Bool {
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
