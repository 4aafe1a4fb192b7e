// SPDX-License-Identifier: Apache-2.0

/// One thing that somebody did at a terminal.
enum TerminalKey: Equatable, Sendable {
  /// A scalar, not a character: a combining mark arrives after what it combines with.
  case text(Unicode.Scalar)
  /// Pasted, as the terminal says: text, whatever it looks like.
  case paste(String)
  /// With Ctrl held; the letter in lower case.
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  /// The left button went down; counted from zero at the top left.
  case click(column: Int, row: Int)
  case wheelUp, wheelDown
}
