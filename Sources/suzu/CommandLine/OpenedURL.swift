// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import Launcher
internal import NotificationModel
internal import SystemFiles

/// The URL of a click, checked when the request is sent as the center checks it at the click.
struct OpenedURL {
  private let url: String
  private let environment: [String: String]
  private let settings: SettingsFolder?

  init(_ url: String, environment: [String: String], settings: SettingsFolder?) {
    (self.url, self.environment, self.settings) = (url, environment, settings)
  }

  /// Why a click will not open it; nil if nothing is known against it.
  ///
  /// - Parameter click: names the click: `the action 'ok'`.
  func obstacle(of click: String) -> String? {
    // A placeholder may stand for anything.
    if url.contains("{") { return nil }
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let policy = policy
    guard scheme == "file" || policy.allows(scheme) else {
      if let near = scheme.misspelling(ofOneOf: ["https", "http", "mailto", "file"]) {
        return "\(click) will fail: no program is known for '\(scheme):'; did you mean '\(near):'?"
      }
      return "a click may not open '\(scheme):'"
        + (settings.map { "; to allow it, add it to \($0.path(of: AddedSchemes.name))" } ?? "")
    }
    do throws(URLRefusal) { _ = try policy.check(url) } catch {
      return "\(click) will fail, because the URL is refused: \(error.reason)" + hint(scheme)
    }
    guard ["http", "https"].contains(scheme),
      let reason = BrowserSearch(environment: environment).obstacle(to: scheme)
    else { return nil }
    return "\(click) will fail, because \(reason); see 'suzu doctor'"
  }

  private func hint(_ scheme: String) -> String {
    let rest = url.dropFirst(scheme.count + 1)
    guard ["http", "https"].contains(scheme), rest.hasPrefix("/"), !rest.hasPrefix("//") else { return "" }
    return "; did you mean '\(scheme):/\(PrintableText.line(String(rest), atMost: 60))'?"
  }

  private var policy: URLPolicy {
    let added = settings.flatMap { (try? $0.read(AddedSchemes.name)) ?? nil }
    return URLPolicy(added: AddedSchemes(String(decoding: added ?? [], as: UTF8.self)).known, allowsFiles: true) {
      [environment] in InstalledApplications(environment: environment).declaredSchemes()
    }
  }
}
