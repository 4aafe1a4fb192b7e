// SPDX-License-Identifier: Apache-2.0
internal import Scheduling

/// What outlasts the center, and what tells it the time.
struct CenterResources: @unchecked Sendable {
  // @unchecked: made for one center, and used on its loop only.
  let store: Store
  let time: any TimeSource
  let zones: any ZoneSource
  /// What makes conditions true.
  var conditions: [any ConditionSource] = []
  /// Where files of categories are dropped.
  var categories: [String] = []
}
