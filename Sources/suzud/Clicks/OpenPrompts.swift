// SPDX-License-Identifier: Apache-2.0
internal import Scheduling

/// The dialogs in which a text is being typed.
///
/// The response is stored with its text. Until then, the notification is closed and has no response, so that listings
/// would call it withdrawn: they learn here that it is being answered.
struct OpenPrompts {
  /// An open dialog: what it was opened for, and the task that waits for its text.
  struct Prompt {
    let posting: ShownNotification
    let action: String
    let task: Task<Void, Never>
  }

  private var prompts: [UInt64: Prompt] = [:]
  private var last: UInt64 = 0
  private let waiting: WaitingResponses

  init(_ waiting: WaitingResponses) { self.waiting = waiting }

  var isEmpty: Bool { prompts.isEmpty }

  /// The numbers of all dialogs, the oldest first.
  var numbers: [UInt64] { prompts.keys.sorted() }

  subscript(number: UInt64) -> Prompt? { prompts[number] }

  /// Adds a dialog. `begin` gets its number, and starts the task.
  mutating func add(
    _ posting: ShownNotification, _ action: String, _ begin: (_ number: UInt64) -> Task<Void, Never>
  ) {
    last += 1
    if let delivery = posting.due.record?.delivery { waiting.note(textOf: action, for: delivery) }
    prompts[last] = Prompt(posting: posting, action: action, task: begin(last))
  }

  /// Removes a dialog; nil if it has ended already.
  mutating func remove(_ number: UInt64) -> Prompt? {
    guard let prompt = prompts.removeValue(forKey: number) else { return nil }
    if let delivery = prompt.posting.due.record?.delivery { waiting.forgetText(for: delivery) }
    return prompt
  }
}
