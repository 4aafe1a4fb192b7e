// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import WindowModel

/// Tests what `suzu-window --dialog` makes of its input.
@Suite struct AppQuestionTests {
  private static func read(_ json: String) throws(AppQuestion.Problem) -> AppQuestion {
    try AppQuestion(input: Array(json.utf8))
  }

  private static func problem(_ json: String) -> String? {
    do throws(AppQuestion.Problem) { _ = try read(json) } catch { return error.text }
    return nil
  }

  @Test func `It asks for one of several answers, or for a line`() throws {
    let list = try Self.read(#"{"app": "Tea", "text": "Lunch?\nNow", "choices": ["Yes", "No"]}"#)
    #expect(list.app == "Tea" && list.text == "Lunch?\nNow" && list.answer == .choice(["Yes", "No"]))
    let line = try Self.read(#"{"app": "Tea", "text": "Lunch?", "line": "When", "button": "Tell"}"#)
    #expect(line.answer == .line(name: "When", button: "Tell"))
    let bare = try Self.read(#"{"app": "Tea", "line": ""}"#)
    #expect(bare.text == "Type an answer" && bare.answer == .line(name: "Your answer", button: "Send"))
    let blank = try Self.read(#"{"app": "Tea", "text": " \n\n ", "choices": ["", "\u0007"]}"#)
    #expect(blank.text == "Choose an answer" && blank.answer == .choice(["Answer 1", "Answer 2"]))
  }

  @Test func `No text reorders, hides or imitates what is around it`() throws {
    let question = try Self.read(
      #"{"app": "Tea\n\u202Ebank\u2066", "text": "\n\na\u2029\u202Eb\u001b[1m\r<b>c</b>\n", "choices": ["\u202Ea\nb_c"]}"#
    )
    #expect(question.app == "Tea bank")
    #expect(question.text == "a\nb [1m\n<b>c</b>")
    #expect(question.answer == .choice(["a b_c"]))
  }

  @Test func `Long texts are cut`() throws {
    let long = String(repeating: "x", count: 100_000)
    let question = try Self.read(#"{"app": "\#(long)", "text": "\#(long)", "choices": ["\#(long)"]}"#)
    #expect(question.app.count == 81 && question.text.count == 8001)
    #expect(question.answer == .choice([String(repeating: "x", count: 200) + "…"]))
  }

  @Test(
    arguments: [
      ("", "the input is not JSON"), ("[]", "the input is not a JSON object"),
      (#"{"text": "a", "choices": ["b"]}"#, "'app' is missing"),
      (#"{"app": "\u202E ", "choices": ["b"]}"#, "'app' is missing"),
      (#"{"app": 1, "choices": ["b"]}"#, "'app' is not a string"),
      (#"{"app": "a"}"#, "there is neither 'choices' nor 'line', or both"),
      (#"{"app": "a", "choices": ["b"], "line": ""}"#, "there is neither 'choices' nor 'line', or both"),
      (#"{"app": "a", "choices": []}"#, "'choices' has not 1 to 200 strings"),
      (#"{"app": "a", "choices": [1]}"#, "'choices' is not a list of strings"),
      (#"{"app": "a", "choices": "b"}"#, "'choices' is not a list of strings"),
      (#"{"app": "a", "line": "b", "markup": true}"#, "unknown key 'markup'"),
    ])
  func `An input that is no question is refused`(json: String, problem: String) {
    #expect(Self.problem(json) == problem)
  }

  @Test func `Too much of it is refused before it is read`() {
    let labels = Array(repeating: #""a""#, count: 201).joined(separator: ",")
    #expect(Self.problem(#"{"app": "a", "choices": [\#(labels)]}"#) == "'choices' has not 1 to 200 strings")
    let input = [UInt8](repeating: 0x20, count: AppQuestion.longestInput + 1)
    #expect(throws: AppQuestion.Problem.self) { try AppQuestion(input: input) }
  }
}
