// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel
internal import Triggers

extension CenterInterface {
  static func quietMethods(of center: CenterService) -> [Method] {
    [
      Method(CenterMethods.quiet) { _, app, call in
        let rights = await center.rights(of: Caller(call.sender))
        if app.isEmpty {
          try rights.checkAll("the quiet hours of all apps")
        } else {
          try rights.check(try appName(app))
        }
        let state = await center.quiet(of: app.isEmpty ? nil : app)
        // When the user sleeps is not for sandboxed programs.
        return rights == .all ? state.properties : state.propertiesForSandbox
      },
      Method(CenterMethods.quietApps) { _, call in
        try await center.rights(of: Caller(call.sender)).checkAll("the quiet hours of all apps")
        var apps: [[String: Value]] = []
        for app in await center.quietApps {
          apps.append(await center.quiet(of: app).properties.merging(["app": .string(app)]) { $1 })
        }
        return apps
      },
      Method(CenterMethods.setQuiet) { _, app, changes, call in
        try await center.rights(of: Caller(call.sender)).checkAll("changing quiet hours")
        let app = app.isEmpty ? nil : try newAppName(app)
        try await center.setQuiet(try change(changes, of: app), of: app)
      },
    ]
  }

  static func change(_ words: [String: Value], of app: String?) throws(CenterError) -> QuietChange {
    var change = QuietChange()
    for (key, value) in words.sorted(by: { $0.key < $1.key }) {
      switch key {
      case "on":
        guard let isOn = value.boolean else { throw invalid("'on' must be true or false") }
        if change.turn == nil { change.turn = isOn ? .on : .off }
      case "until":
        guard case .int64(let end) = value, 1...latestEnd ~= end else {
          throw invalid("'until' must be in seconds since 1970")
        }
        guard change.turn != .off else { throw invalid("'on' and 'until' cannot be combined") }
        change.turn = .until(end)
      case "add": change.added = try hours(value, key)
      case "remove":
        guard let texts = value.strings else { throw invalid("'remove' must be a list of texts") }
        change.removed = texts
      case "pass":
        guard let text = value.string, let limit = text.isEmpty ? .some(nil) : QuietLimit(rawValue: text).map({ $0 })
        else {
          let known = QuietLimit.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
          throw invalid("'pass' must be one of \(known), or empty")
        }
        change.limit = .some(limit)
      case "desktop" where app == nil:
        guard let follows = value.boolean else { throw invalid("'desktop' must be true or false") }
        change.followsDesktop = follows
      case "after" where app == nil:
        guard let text = value.string, ["each", "digest"].contains(text) else {
          throw invalid("'after' must be 'digest' or 'each'")
        }
        change.comesOneByOne = text == "each"
      case "desktop", "after": throw invalid("'\(key)' is for all apps together")
      default:
        throw invalid("'\(DisplayText.line(key))' is not one of add, after, desktop, on, pass, remove and until")
      }
    }
    return change
  }

  private static func hours(_ value: Value, _ key: String) throws(CenterError) -> [String] {
    guard let texts = value.strings else { throw invalid("'\(key)' must be a list of texts") }
    for text in texts {
      do throws(TriggerError) { _ = try QuietSpan.parse(text) } catch { throw invalid(error.about(key).description) }
    }
    return texts
  }

  private static func invalid(_ problem: String) -> CenterError { CenterError(.invalidRequest, problem) }
}

extension QuietState {
  var properties: [String: Value] {
    var words = propertiesForSandbox
    words["held"] = .uint32(UInt32(clamping: held))
    words["on"] = .boolean(hours.isOn)
    words["hours"] = .strings(hours.hours)
    words["ownPass"] = .string(hours.limit?.rawValue ?? "")
    words["desktop"] = .boolean(hours.followsDesktop)
    words["after"] = .string(hours.comesOneByOne ? "each" : "digest")
    if let until = hours.onUntil { words["until"] = .int64(until) }
    if let skipped = hours.skippedUntil { words["skipped"] = .int64(skipped) }
    switch causes.end {
    case .at(let end): words["end"] = .int64(end)
    case .whenTurnedOff: words["ends"] = .string(ListedRequest.quietOff)
    case .whenDesktopAllows: words["ends"] = .string(ListedRequest.desktop)
    case nil: break
    }
    return words
  }

  /// Whether it is quiet for its app, and which level is shown anyway.
  var propertiesForSandbox: [String: Value] {
    ["quiet": .boolean(causes.areAny), "pass": .string(limit.rawValue)]
  }
}
