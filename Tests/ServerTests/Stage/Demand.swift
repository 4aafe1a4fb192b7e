// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A check ends with the first thing that is not as it should be: the rest of it would be about something else.
func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws {
  if !condition { throw TestFailure(what()) }
}

/// That two are equal.
func demand<T: Equatable>(_ found: T, is expected: T, _ what: String) throws {
  try demand(found == expected, "\(what): \(found), where \(expected) was expected")
}
