// SPDX-License-Identifier: Apache-2.0
import DBus

/// One cell of the table: the chosen action, the context, the app and the moment.
struct Combination: Hashable, Sendable {
  /// The chosen action.
  enum Kind: String, CaseIterable {
    case run, runGuarded, runForeground, runDestructive, runDestructiveForeground, input, url, launch, snooze
    /// Actions without an effect, which the app handles: in the background, in the foreground, behind the lock, with a
    /// line of text.
    case toApp, toAppForeground, toAppGuarded, toAppInput
    /// A click on the notification itself, without and with a URL of its own.
    case click, clickURL
    /// The notification is dismissed, and its category asks for dismissals.
    case putAway
  }

  /// The style of the notification, with two or four buttons.
  enum Context: String, CaseIterable {
    case minimal, full
  }

  /// How the app can be reached.
  enum App: String, CaseIterable {
    case attached, activatable, launchable, absent
  }

  /// The moment of the choice, and what happens around it.
  enum Moment: String, CaseIterable {
    case inTime, afterClose, afterCenter, afterCloseAndCenter, afterServer
    /// The center is killed after the choice, however far that has come; in the second case the session is unlocked
    /// while there is no center.
    case beforeCenter, beforeCenterUnlocked
  }

  let kind: Kind
  let context: Context
  let app: App
  let isLocked: Bool
  let moment: Moment

  /// All combinations of a row, which one center can handle.
  static func row(isLocked: Bool, _ moment: Moment) -> [Combination] {
    // Alerts come first, so that they have the low numbers, which a restarted server assigns again.
    [Context.full, .minimal].flatMap { context in
      Kind.allCases.flatMap { kind in
        App.allCases.map {
          Combination(kind: kind, context: context, app: $0, isLocked: isLocked, moment: moment)
        }
      }
    }
  }

  // MARK: For the center

  /// The request of the combination, its headline and the title of its button.
  var id: String { "\(kind)-\(context)-\(app)" }

  /// Each combination that launches a desktop entry has its own entry, which identifies it in the records.
  var appID: String {
    switch app {
    case .attached: "org.example.Attached"
    case .activatable: "org.example.Activatable"
    case .launchable: "org.example.Launchable.\(kind)_\(context)"
    case .absent: "org.example.Absent"
    }
  }

  /// The entry that `launch` starts.
  var entryID: String { "org.example.Opened.\(kind)_\(context)_\(app)" }

  /// The chosen action. It is the same in every context, because contexts differ in the keys beside it.
  var actionID: String {
    switch kind {
    case .click, .clickURL: "default"
    case .putAway: "dismiss"
    default: "go"
    }
  }

  /// The keys that its server must have received.
  var keys: [String] { ["default", "go", "spare-a"] + (context == .full ? ["spare-b", "spare-c"] : []) }

  /// The app's name in an input dialog: that of its desktop entry, or its id.
  var appName: String { app == .launchable ? "Example" : appID }

  /// The line of text that the dialog returns, if it has one.
  var reply: String? { kind == .input || kind == .toAppInput ? "of \(appName)" : nil }

  var token: String { "token-\(id)" }

  var request: Value {
    var words: [String: Value] = [
      "app": .string(appID), "id": .string(id), "title": .string(id), "category": .string(id),
      "style": context == .full ? "alert" : "banner",
    ]
    if kind == .clickURL { words["url"] = .string("https://example.org/\(id)") }
    return .properties(words)
  }

  /// - Parameter record: the program that records its arguments.
  func category(record: String) -> Value {
    let spares = ["a", "b", "c", "d"].map { Value.properties(["id": .string("spare-" + $0), "title": .string($0)]) }
    return .properties([
      "id": .string(id), "actions": .array(of: .properties, spares + [.properties(action(record: record))]),
      "default": .strings(["go", "spare-a", "spare-b", "spare-c"]), "minimal": .strings(["go", "spare-a"]),
      "customDismiss": .boolean(kind == .putAway),
    ])
  }

  private func action(record: String) -> [String: Value] {
    var words: [String: Value] = [
      "id": "go", "title": .string(id), "foreground": .boolean(kind.isForeground && actionID == "go"),
      "authenticationRequired": .boolean(kind.isGuarded), "destructive": .boolean(kind.isDestructive),
    ]
    switch kind {
    case .run, .runGuarded, .runForeground, .runDestructive, .runDestructiveForeground, .input:
      words["run"] = .strings([record, "run", "{id}", "{action}", "{reply}"])
    case .url: words["url"] = "https://example.org/{id}"
    case .launch: words["launch"] = .string(entryID)
    // Long enough to kill the center before the notification is shown again.
    case .snooze: words["snooze"] = moment.isBeforeCenter ? "1s" : "50ms"
    case .toApp, .toAppForeground, .toAppGuarded, .toAppInput, .click, .clickURL, .putAway: break
    }
    if reply != nil { words["input"] = .properties(["placeholder": "What?"]) }
    return words
  }
}

extension Combination.Kind {
  /// Whether it brings the app to the front, as a click on the notification itself does.
  var isForeground: Bool {
    [.runForeground, .runDestructiveForeground, .toAppForeground, .click, .clickURL].contains(self)
  }
  var isGuarded: Bool { [.runGuarded, .runDestructive, .toAppGuarded].contains(self) }
  var isDestructive: Bool { self == .runDestructive || self == .runDestructiveForeground }
}

extension Combination.Moment {
  var isBeforeCenter: Bool { self == .beforeCenter || self == .beforeCenterUnlocked }
}
