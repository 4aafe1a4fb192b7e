// SPDX-License-Identifier: Apache-2.0

/// A key, click or paste at a terminal, or its answer.
enum TerminalKey: Equatable, Sendable {
  /// A scalar, not a character: a combining mark arrives after its base.
  case text(Unicode.Scalar)
  /// Pasted text, as the terminal reports it; always taken as text.
  case paste(String)
  /// A key with Ctrl; the letter in lower case.
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  /// The left button was pressed; counted from zero at the top left.
  case click(column: Int, row: Int)
  case wheelUp, wheelDown
  /// No key, but the terminal's answer to a question.
  case report(TerminalReport)
}
