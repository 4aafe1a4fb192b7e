// SPDX-License-Identifier: Apache-2.0
internal import Calendars

extension ICalLibrary {
  /// Loads libical, or says how to install it.
  static func load() throws(CommandError) -> ICalLibrary {
    do throws(Missing) { return try ICalLibrary() } catch { throw .unavailable(error.reason) }
  }
}
