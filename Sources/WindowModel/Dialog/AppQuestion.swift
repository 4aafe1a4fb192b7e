// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A question of an app, as `suzu-window --dialog` reads it. No text of it can reorder, hide or imitate what is around
/// it: all are plain, and the name of the app has a place of its own.
package struct AppQuestion: Equatable, Sendable {
  /// How the user answers.
  package enum Answer: Equatable, Sendable {
    /// With one of these labels.
    case choice([String])
    /// With a line of text; the name of the line, and the label of the button that sends it.
    case line(name: String, button: String)
  }

  /// Whose question it is.
  package let app: String
  /// The text above the answers, of several lines.
  package let text: String
  package let answer: Answer

  /// More than the buttons of a request. GTK would take long to draw more.
  package static let mostChoices = 200
  /// Also the longest input: nothing longer is read.
  package static let longestInput = 1 << 20

  /// Why a question cannot be shown.
  package struct Problem: Error, Equatable {
    package let text: String

    init(_ text: String) { self.text = text }
  }

  /// Reads the bytes of standard input.
  package init(input: [UInt8]) throws(Problem) {
    guard input.count <= Self.longestInput else { throw Problem("the input is longer than \(Self.longestInput) bytes") }
    try self.init(json: String(decoding: input, as: UTF8.self))
  }

  /// Reads `{"app": …, "text": …, "choices": […]}`, or with `"line"` and `"button"` instead of choices.
  package init(json: String) throws(Problem) {
    let value: PlainValue
    do throws(DocumentError) { value = try JSONReader.read(json) } catch { throw Problem("the input is not JSON") }
    guard case .dictionary(let keys) = value else { throw Problem("the input is not a JSON object") }
    let known: Set = ["app", "text", "choices", "line", "button"]
    if let other = keys.keys.sorted().first(where: { !known.contains($0) }) {
      throw Problem("unknown key '\(ShownText.line(other, atMost: 40))'")
    }
    func text(_ key: String) throws(Problem) -> String? {
      guard let value = keys[key] else { return nil }
      guard case .text(let text) = value else { throw Problem("'\(key)' is not a string") }
      return text
    }
    app = ShownText.line(try text("app") ?? "", atMost: 80)
    if app.isEmpty { throw Problem("'app' is missing") }
    let shown = ShownText.paragraphs(try text("text") ?? "")
    let (line, button) = (try text("line"), try text("button"))
    switch (keys["choices"], line) {
    case (let choices?, nil):
      guard case .list(let values) = choices, button == nil else { throw Problem("'choices' is not a list of strings") }
      answer = .choice(try Self.labels(values))
      self.text = shown.isEmpty ? "Choose an answer" : shown
    case (nil, let line?):
      answer = .line(
        name: Self.label(line) ?? "Your answer", button: button.flatMap(Self.label) ?? "Send")
      self.text = shown.isEmpty ? "Type an answer" : shown
    default: throw Problem("there is neither 'choices' nor 'line', or both")
    }
  }

  private static func labels(_ values: [PlainValue]) throws(Problem) -> [String] {
    guard 1...mostChoices ~= values.count else { throw Problem("'choices' has not 1 to \(mostChoices) strings") }
    var labels: [String] = []
    for value in values {
      guard case .text(let text) = value else { throw Problem("'choices' is not a list of strings") }
      // Each choice needs something to press and to read.
      labels.append(label(text) ?? "Answer \(labels.count + 1)")
    }
    return labels
  }

  private static func label(_ text: String) -> String? {
    let line = ShownText.line(text, atMost: 200)
    return line.isEmpty ? nil : line
  }
}
