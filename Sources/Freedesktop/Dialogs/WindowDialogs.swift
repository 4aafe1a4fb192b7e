// SPDX-License-Identifier: Apache-2.0

/// The dialogs of `suzu-window`. It reads the whole question from its input, so no text of it is on a command line.
struct WindowDialogs: DialogProgram {
  let name = "suzu-window"
  let cancellationStatus: Int32 = 3
  let mayBeUnfit = true

  func command(for list: Chooser) -> DialogCommand? {
    command(
      DialogQuestion(
        app: list.title, text: list.text.isEmpty ? list.heading : list.text, answer: .choice(list.choices)))
  }

  func command(for line: Prompt) -> DialogCommand? {
    let question = line.question ?? Prompt.Question(text: line.text)
    return command(
      DialogQuestion(
        app: line.title, text: question.text, answer: .line(hint: question.hint, button: question.button)))
  }

  private func command(_ question: DialogQuestion) -> DialogCommand {
    DialogCommand(arguments: ["--dialog"], input: question.json)
  }
}
