// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
package import Zoneinfo

/// What is known of an app: its settings, its quiet hours, when it was last seen, and its links to servers elsewhere.
package struct AppFacts: Hashable, Sendable {
  package let id: String
  /// The name of its desktop entry, or its id.
  package let name: String
  package let settings: AppSettings
  package let quiet: QuietFacts
  /// When its last notification came; nil if none has.
  package let lastUsed: Instant?
  /// Its links, a sentence each.
  package let links: [String]

  package init(
    _ id: String, name: String? = nil, settings: AppSettings? = nil, quiet: QuietFacts = QuietFacts(),
    lastUsed: Instant? = nil, links: [String] = []
  ) {
    self.id = id
    self.name = name ?? Self.ownName(id) ?? id
    self.settings = settings ?? AppSettings(app: id)
    self.quiet = quiet
    self.lastUsed = lastUsed
    self.links = links
  }

  /// The name of the app of the user's own requests, whose entry has that of the whole product.
  private static func ownName(_ id: String) -> String? {
    id == NotificationRequest.defaultApp ? "Your own requests" : nil
  }

  /// Whether the user has decided anything about it.
  package var isDecided: Bool {
    settings.isDecided || settings.delivery != nil || settings.away != .show || settings.previews != .always
      || !settings.denied.isEmpty
  }

  /// What it may not do, and how its notifications come, in the words of a row.
  package var remarks: [String] {
    var remarks: [String] = []
    if !settings.allowed.contains(.alert) {
      remarks.append("does not notify you")
    } else {
      if !settings.allowed.contains(.sound) { remarks.append("without sound") }
      if let delivery = settings.delivery {
        remarks.append("passive ones at \(delivery.texts.joined(separator: ", "))")
      }
      if settings.away == .hold { remarks.append("waits until you are back") }
      if settings.previews != .always { remarks.append(settings.previews.remark) }
    }
    if !settings.allowed.contains(.badge) { remarks.append("without badge") }
    for sense in [NoticeKind.places, .networks] where settings.allowed.contains(sense) {
      remarks.append("knows your \(sense.rawValue)")
    }
    return remarks
  }

  /// `Last used: Today 12:30`
  package func lastUsedText(_ clock: LocalClock) -> String {
    lastUsed.map { "Last used: \(clock.day($0)) \(clock.minute($0))" } ?? "Has not notified you yet"
  }
}

extension NoticeKind {
  /// The switch that allows it.
  package var label: String {
    switch self {
    case .alert: "Show notifications"
    case .badge: "Show a number on its launcher"
    case .sound: "Play sounds"
    case .places: "Know when you are at a place"
    case .networks: "Know when you use a network"
    }
  }
}

extension AwayRule {
  package var label: String {
    switch self {
    case .show: "Come as always"
    case .keep: "Come, and stay until you are back"
    case .hold: "Wait until you are back"
    }
  }
}

extension Previews {
  package var label: String {
    switch self {
    case .always: "Always"
    case .unlocked: "While the screen is not locked"
    case .never: "Never"
    }
  }

  fileprivate var remark: String { self == .unlocked ? "no texts while locked" : "without texts" }
}
