// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Stores and reports that a notification is on the screen.
struct ShownReport {
  let journal: Journal
  let time: any TimeSource
  let audience: any Audience
  let dates: DateText
  let apps: Apps
  let signs: Signs

  /// Stores it in the commit of this turn: no caller waits for it, and without it the notification is shown again.
  ///
  /// - Parameter nag: how it is shown again until it is answered; nil if it is not.
  func note(
    _ entry: Entry, _ number: PostedNumber, _ offer: OfferedActions, nag: NagPlan?, on state: ServerState
  ) {
    guard let delivery = entry.due.record?.delivery else { return }
    let now = time.wall
    // One that comes back after its server ended is not a showing of its own.
    let nag = entry.isReshown ? nil : nag
    journal.note(sync: .soon) { store throws(StoreError) in
      try store.recordShown(
        delivery, server: state.storedName, serverNumber: Int64(number.number), keys: offer.json,
        nag: nag, now: now)
    }
  }

  /// Sends the event, sets the badge, plays the sound and speaks.
  func tell(_ entry: Entry, as key: RequestKey, replaces: Bool, on state: ServerState) {
    audience.tell(
      .delivered(
        app: key.app, id: key.id, due: dates.text(of: entry.due), missed: entry.due.missed, replaces: replaces),
      of: key.app)
    giveSigns(of: entry, on: state)
  }

  /// Sets the badge, plays the sound and speaks once, however often the notification is shown.
  private func giveSigns(of entry: Entry, on state: ServerState) {
    if entry.isReshown { return }
    let request = entry.request
    let allowed = apps[request.app.text].allowed
    if allowed.contains(.badge) { signs.setBadge(of: request) }
    if allowed.contains(.sound), !state.capabilities.contains(.sound), let sound = request.content.sound,
      entry.due.rights.mayUse(sound.text)
    {
      signs.playSound(of: request)
    }
    // It can be heard, like a sound.
    if allowed.contains(.sound) { signs.speak(request) }
  }
}

/// The badge, the sound and the speech of a request.
struct Signs {
  let badges: Badges
  let journal: Journal
  let play: @Sendable (_ sound: String) -> Void
  let speech: Speech
  let apps: Apps

  func setBadge(of request: NotificationRequest) {
    if let badge = request.content.badge { badges.set(badge, of: request.app.text, journal) }
  }

  func playSound(of request: NotificationRequest) {
    if let sound = request.content.sound, sound != .silent { play(sound.text) }
  }

  /// Speaks the texts, unless the user never wants to see them.
  func speak(_ request: NotificationRequest) {
    if apps[request.app.text].previews != .never { speech.say(request) }
  }
}
