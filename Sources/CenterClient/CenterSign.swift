// SPDX-License-Identifier: Apache-2.0
package import CenterContract
internal import DBus
package import NotificationModel

/// A signal of the center: an event of a request, or a change in its store.
package enum CenterSign: Hashable, Sendable {
  /// Something happened to a request.
  case event(CenterEvent)
  /// Something was stored that is no such event.
  case stored(StoredChange)

  /// Returns nil for a signal that this library does not know.
  init?(_ signal: Signal) {
    if let event = CenterEvent(signal) {
      self = .event(event)
    } else if let change = StoredChange(signal) {
      self = .stored(change)
    } else {
      return nil
    }
  }
}
