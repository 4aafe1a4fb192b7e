// SPDX-License-Identifier: Apache-2.0

/// The effect of a click by the rules of the design, independent of what the center reports. Pure.
struct Expectation: Hashable {
  /// The single effect outside of the center.
  enum Effect: String {
    /// The action's program, URL or desktop entry.
    case run, open, opened
    /// The notification is shown again.
    case shown
    /// The app's handler, its `ActivateAction`, or its desktop entry.
    case told, activated, launched
  }

  /// The events that it waits for, in order.
  var waits: [String] = []
  /// Whether the user is asked once more.
  var isAsked = false
  /// Nil if the click has no effect.
  var effect: Effect?

  /// The expected outcome; nil if no event is expected.
  var outcome: String? { effect == nil ? nil : "done" }

  init(_ combination: Combination) {
    // A server's numbers end with it. Alerts are shown again, and the new one is clicked.
    if combination.moment == .afterServer && combination.context == .minimal { return }
    let kind = combination.kind
    // No action runs and no window is raised while another person may use the screen.
    if combination.isLocked && (kind.isGuarded || kind.isForeground) {
      waits.append("waiting: locked")
      // A destructive action long after the click.
      isAsked = kind.isDestructive
    }
    switch kind {
    case .run, .runGuarded, .runForeground, .runDestructive, .runDestructiveForeground, .input: effect = .run
    case .url, .clickURL: effect = .open
    case .launch: effect = .opened
    case .snooze: effect = .shown
    case .toApp, .toAppForeground, .toAppGuarded, .toAppInput, .click, .putAway:
      effect = Self.way(to: combination.app, isForeground: kind.isForeground)
      // Neither running nor startable: the response is kept until the app attaches.
      if effect == nil {
        waits.append("waiting: app")
        effect = .told
      }
    }
  }

  private static func way(to app: Combination.App, isForeground: Bool) -> Effect? {
    switch app {
    case .attached: .told
    case .activatable: .activated
    // An action in the background opens no window.
    case .launchable: isForeground ? .launched : nil
    case .absent: nil
    }
  }
}
