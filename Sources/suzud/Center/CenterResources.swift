// SPDX-License-Identifier: Apache-2.0
internal import Scheduling

/// Resources that are made before the center and outlive it.
struct CenterResources: @unchecked Sendable {
  // @unchecked: made for one center, and used on its loop only.
  let store: Store
  let time: any TimeSource
  let zones: any ZoneSource
  /// The sources of conditions, one for each kind.
  var conditions: [any ConditionSource] = []
  /// The sources of `unlocked` and `idle` that tell whether the user is away: a source has one receiver.
  var presence: [any ConditionSource] = []
  /// The places that the user has named, for these sources.
  var places = NamedPlaces()
  /// Finds where the machine is; nil if nothing can.
  var positions: (any PositionFinder)?
  /// The folders with files of categories.
  var categories: [String] = []
  /// The program that reads calendars, and its first arguments.
  var calendarReader = CalendarReading.ourselves
}
