// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Ends a check at the first failure, because later failures would be consequences.
func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws {
  if !condition { throw TestFailure(what()) }
}

/// Demands that two values are equal.
func demand<T: Equatable>(_ found: T, is expected: T, _ what: String) throws {
  try demand(found == expected, "\(what): \(found), where \(expected) was expected")
}
