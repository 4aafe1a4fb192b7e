// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import Testing

/// Tests JSON parsing and the positions of errors.
@Suite struct JSONReaderTests {
  static let valid: [(String, PlainValue)] = [
    ("1", .integer(1)), (" \t\r\n1 \t\r\n", .integer(1)), ("-0", .integer(0)), ("0", .integer(0)), ("-1", .integer(-1)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.0", .number(1)), ("0.5", .number(0.5)),
    ("-0.0", .number(-0.0)), ("1e2", .number(100)), ("1E+2", .number(100)), ("1e-2", .number(0.01)),
    ("0e0", .number(0)),
    ("123.456e78", .number(123.456e78)), ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
    ("5e-324", .number(.leastNonzeroMagnitude)), ("1e-400", .number(0)), ("100000000000000000000000", .number(1e23)),
    ("true", .flag(true)), ("false", .flag(false)), ("\"\"", .text("")), (#""a""#, .text("a")),
    (#""\"\\\/\b\f\n\r\t""#, .text("\"\\/\u{8}\u{c}\n\r\t")), (#""\u0041\u00e9\u00E9\u65e5""#, .text("Aéé日")),
    (#""\ud83e\uded6""#, .text("🫖")), (#""\uD83E\uDED6""#, .text("🫖")), (#""🫖\u0000""#, .text("🫖\u{0}")),
    ("\"\u{7f}\u{2028}\u{feff}\"", .text("\u{7f}\u{2028}\u{feff}")), ("[]", .list([])), ("[ ]", .list([])),
    ("{}", .dictionary([:])), ("{ }", .dictionary([:])),
    ("[1,[2,[]]]", .list([.integer(1), .list([.integer(2), .list([])])])),
    (#"{"a":1,"":{"a":2}}"#, .dictionary(["a": .integer(1), "": .dictionary(["a": .integer(2)])])),
    (#"{"\u0061b": [ ] , "c":true}"#, .dictionary(["ab": .list([]), "c": .flag(true)])),
  ]

  @Test(arguments: valid)
  func `Valid text is parsed`(_ json: String, _ value: PlainValue) throws {
    #expect(try JSONReader.read(json) == value)
  }

  static let invalid: [(String, String)] = [
    ("", "line 1, column 1: the text ends where a value is expected"),
    ("  \n ", "line 2, column 2: the text ends where a value is expected"),
    ("[1,]", "line 1, column 4: remove the comma before ']'"),
    ("[1 2]", "line 1, column 4: ',' or ']' is expected here"),
    ("[1", "line 1, column 3: ',' or ']' is expected here"),
    ("[,1]", "line 1, column 2: a value is expected here"),
    ("]", "line 1, column 1: a value is expected here"),
    ("{", "line 1, column 2: a key in double quotes is expected here"),
    ("{a:1}", "line 1, column 2: a key in double quotes is expected here"),
    ("{'a':1}", "line 1, column 2: a key in double quotes is expected here"),
    (#"{"a":1,}"#, "line 1, column 8: remove the comma before '}'"),
    (#"{"a" 1}"#, "line 1, column 6: ':' is expected after the key 'a'"),
    (#"{"a":}"#, "line 1, column 6: a value is expected here"),
    (#"{"a":1 "b":2}"#, "line 1, column 8: ',' or '}' is expected here"),
    ("{\n  \"a\": 1,\n  \"b\": 2,\n  \"a\": 3\n}", "line 4, column 3: duplicate key 'a'"),
    (#"{"a":1,"\u0061":2}"#, "line 1, column 8: duplicate key 'a'"),
    ("1 1", "line 1, column 3: unexpected content after the value"),
    ("{}{}", "line 1, column 3: unexpected content after the value"),
    ("01", "line 1, column 2: unexpected content after the value"),
    ("-", "line 1, column 2: a digit is expected here"),
    ("-a", "line 1, column 2: a digit is expected here"),
    ("1.", "line 1, column 3: a digit is expected here"),
    (".5", "line 1, column 1: a value is expected here"),
    ("+1", "line 1, column 1: a value is expected here"),
    ("1e", "line 1, column 3: a digit is expected here"),
    ("1e+", "line 1, column 4: a digit is expected here"),
    ("0x10", "line 1, column 2: unexpected content after the value"),
    ("[1e400]", "line 1, column 2: the number is too large"),
    ("NaN", "line 1, column 1: a value is expected here"),
    ("Infinity", "line 1, column 1: a value is expected here"),
    ("tru", "line 1, column 1: a value is expected here"),
    ("True", "line 1, column 1: a value is expected here"),
    ("truer", "line 1, column 5: unexpected content after the value"),
    ("[null]", "line 1, column 2: 'null' is not allowed; omit the key"),
    ("nope", "line 1, column 1: a value is expected here"),
    ("\"a", "line 1, column 3: the text ends inside a string"),
    ("\"é\u{1f}\"", "line 1, column 3: a control character in a string must be escaped"),
    ("\"a\nb\"", "line 1, column 3: a control character in a string must be escaped"),
    ("\"\\", "line 1, column 3: the text ends inside a string"),
    (#""\x""#, "line 1, column 3: unknown escape sequence in a string"),
    (#""\u12g4""#, "line 1, column 4: four hexadecimal digits are expected here"),
    (#""\u+123""#, "line 1, column 4: four hexadecimal digits are expected here"),
    (#""\u12"#, "line 1, column 4: four hexadecimal digits are expected here"),
    (#""\u12é""#, "line 1, column 4: four hexadecimal digits are expected here"),
    (#""\ud83e""#, "line 1, column 8: unpaired surrogate"),
    (#""\uded6""#, "line 1, column 8: unpaired surrogate"),
    (#""\ud83e\n""#, "line 1, column 9: unpaired surrogate"),
    (#""\ud83e\ud83e""#, "line 1, column 14: unpaired surrogate"),
    ("/* a */ 1", "line 1, column 1: JSON has no comments: remove this one"),
    ("\u{feff}1", "line 1, column 1: a value is expected here"),
    ("[\u{a0}1]", "line 1, column 2: a value is expected here"),
    ("[1]\u{0}", "line 1, column 4: unexpected content after the value"),
  ]

  @Test(arguments: invalid)
  func `Invalid text is rejected with the position`(_ json: String, _ complaint: String) {
    let error = #expect(throws: DocumentError.self) { try JSONReader.read(json) }
    #expect(error?.description == complaint)
  }

  // Other programs write null for what they do not know.
  @Test func `What is null can be left out`() throws {
    let read = { try JSONReader.read($0, omittingNull: true) }
    #expect(try read(#"{"a": null, "b": [null, 1, null], "c": {"d" :null}}"#).json == #"{"b":[1],"c":{}}"#)
    #expect(try read(#"{"a":null}"#) == .dictionary([:]))
    for text in ["null", #"{"a":null,}"#, "[null,]", "[nul]", #"{"a":null "b":1}"#] {
      #expect(throws: DocumentError.self, "\(text)") { try read(text) }
    }
  }

  @Test func `An error with any key stays on one line`() {
    let key = #"a\n\u202e"# + String(repeating: "k", count: 10_000)
    for json in ["{\"\(key)\" 1}", "{\"\(key)\":1,\"\(key)\":2}"] {
      let error = #expect(throws: DocumentError.self) { try JSONReader.read(json) }
      #expect((error?.description.count ?? .max) < 200)
      #expect(error?.description.contains { $0.isNewline } == false)
    }
  }

  @Test func `Nesting is limited to 64 levels`() throws {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(throws: Never.self) { try JSONReader.read(nested(64)) }
    let error = #expect(throws: DocumentError.self) { try JSONReader.read(nested(65)) }
    #expect(error?.description == "line 1, column 65: nested deeper than 64 levels")
    #expect(throws: DocumentError.self) { try JSONReader.read(String(repeating: "[", count: 1_000_000)) }
    #expect(throws: DocumentError.self) { try JSONReader.read(String(repeating: #"{"a":"#, count: 1_000_000)) }
  }

  @Test func `A long text is parsed in reasonable time`() throws {
    let list =
      "[" + Array(repeating: #"{"a":"some text","b":[1,2.5,true]}"#, count: 20_000).joined(separator: ",\n") + "]"
    let start = ContinuousClock.now
    guard case .list(let values) = try JSONReader.read(list) else {
      Issue.record("no list")
      return
    }
    #expect(values.count == 20_000)
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}
