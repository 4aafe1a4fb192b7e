// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop

/// What a notification server does with what it is sent: by capability where it tells, by name where it does not.
struct ServerTraits: Equatable, Sendable {
  var capabilities: Set<Capability>
  /// How many buttons it draws; nil: as many as there are.
  var buttons: Int?

  init(capabilities: Set<Capability>, name: String = "") {
    self.capabilities = capabilities
    buttons = Self.buttons[name]
  }

  func can(_ capability: Capability) -> Bool { capabilities.contains(capability) }

  /// All of these say that they have `actions`, and nothing says how many of them are seen.
  private static let buttons = [
    // A click is the default action; the others are behind a menu program that must be set up first.
    "dunst": 0,
    // The same; its `makoctl menu` needs one as well.
    "mako": 0,
    // Further ones are left out without a word.
    "gnome-shell": 3,
  ]
}
