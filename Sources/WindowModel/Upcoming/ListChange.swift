// SPDX-License-Identifier: Apache-2.0

/// The part of a list that differs from an earlier version, so that the rest keeps its focus and its place on the
/// screen.
package struct ListChange: Hashable, Sendable {
  package let position: Int
  package let removed: Int
  package let added: Int

  /// Returns nil if both are equal.
  package init?<Element: Equatable>(from old: [Element], to new: [Element]) {
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start] == new[start] { start += 1 }
    var end = 0
    while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    (position, removed, added) = (start, old.count - start - end, new.count - start - end)
    if removed == 0, added == 0 { return nil }
  }
}
