// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Checks of the command itself, against slips: the center accepts more.
enum TextChecks {
  /// Throws if a key says how to handle a date, and the request has none: it would have no effect.
  static func checkDate(_ request: [String: PlainValue]) throws(RequestError) {
    func has(_ key: String) -> Bool { request[key] != nil }
    if !NotifyCommand.times.contains(where: has) {
      if let key = ["zone", "missed", "grace", "wake"].first(where: has) {
        // A wrong value comes first, and the date is named beside it.
        do throws(RequestError) { _ = try NotificationRequest(request) } catch {
          let end = error.problem.firstRange(of: "; did you mean")?.lowerBound ?? error.problem.endIndex
          if error.key == key { throw RequestError(key, error.problem[..<end] + "; it also needs a date") }
        }
        throw RequestError(key, "needs a date; for example 'at: 07:30'")
      }
    } else if has("zone"), has("in") {
      throw RequestError("zone", "has no effect on 'in', which is elapsed time")
    }
  }

  /// Throws if nothing of the texts can be seen: the popup would be empty. The center says so when a text has no
  /// character at all.
  static func checkVisible(_ request: [String: PlainValue]) throws(RequestError) {
    guard case .text(let title)? = request["title"], !title.isEmpty, !title.hasVisibleCharacter else { return }
    if case .text(let body)? = request["body"], body.hasVisibleCharacter { return }
    throw NotificationRequest.blank
  }

  /// Whether the text is a URL of another scheme than `file`: nothing is fetched from the network.
  private static func isForeignURL(_ text: String) -> Bool {
    guard let end = text.firstRange(of: "://"), !text.hasPrefix("file:") else { return false }
    let scheme = text[..<end.lowerBound]
    return !scheme.isEmpty && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
  }

  /// Throws if the app is no desktop-entry id, or if a picture is on the network.
  static func check(_ request: [String: PlainValue]) throws(RequestError) {
    if case .text(let app)? = request["app"] {
      do throws(RequestError) { try AppID.checkAsNew(app) } catch {
        throw RequestError(
          "app", error.problem + ", not '\(PrintableText.line(app, atMost: 60))'; 'appName' is the text that is shown")
      }
    }
    for key in ["icon", "image"] {
      guard case .text(let text)? = request[key], isForeignURL(text) else { continue }
      throw RequestError(
        key,
        "must be a theme name, a path or a file URL, not '\(PrintableText.line(text, atMost: 60))'; download it first")
    }
  }
}
