// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import Testing

/// Tests our JSON parser against Foundation and Python.
@Suite(.timeLimit(.minutes(2))) struct JSONPeerTests {
  /// Deliberate differences of our parser: no null, no repeated key, no lone surrogate (which no text can hold), no
  /// infinite number, and at most 64 levels.
  static func isOurOwnWish(_ error: DocumentError) -> Bool {
    ["'null'", "duplicate key", "surrogate", "too large", "nested deeper"].contains { error.problem.contains($0) }
  }

  /// A byte order mark, which RFC 8259, section 8.1, leaves to the parser; a trailing comma, which it does not.
  static func isFoundationLenient(_ text: String) -> Bool {
    text.unicodeScalars.first == "\u{feff}" || text.contains(/,[ \t\r\n]*[\]}]/)
  }

  static let seeds = [
    #"{"title":"Tea","actions":[{"id":"a","run":["echo","\u00e9\ud83e\uded6"]},{"id":"b"}],"progress":42}"#,
    #"[1,-2.5e+10,true,false,"\"\\\/\b\f\n\r\t",{"":[]},{"a":{"b":{}}},0.0,1E5]"#,
    "{\"a\" : [ 1 , 2 ] ,\n\t\"ü\" : \"日本\" }", #""\u0000\u007f""#, "-0.1e-10", "[[[[[[[[]]]]]]]]",
  ]

  static func mutated(_ text: String, using random: inout some RandomNumberGenerator) -> String {
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d83e", "1", "0", "-", ".", "e", "true", "null", " ", "\n", "é",
      "a", "\t",
    ]
    var scalars = Array(text.unicodeScalars)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...scalars.count, using: &random)
      let piece = Array((pieces.randomElement(using: &random) ?? "").unicodeScalars)
      switch Int.random(in: 0...3, using: &random) {
      case 0: scalars.insert(contentsOf: piece, at: place)
      case 1 where place < scalars.count: scalars.remove(at: place)
      case 2 where place < scalars.count: scalars.replaceSubrange(place...place, with: piece)
      default: scalars.removeSubrange(place...)
      }
      if scalars.isEmpty { break }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  static func corpus(_ count: Int) -> [String] {
    var random = SystemRandomNumberGenerator()
    let fixed = JSONReaderTests.valid.map(\.0) + JSONReaderTests.invalid.map(\.0) + seeds
    return fixed + (0..<count).map { _ in mutated(seeds.randomElement(using: &random) ?? "", using: &random) }
  }

  @Test func `Foundation accepts and rejects the same texts`() {
    for text in Self.corpus(10_000) {
      let foundation = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      do throws(DocumentError) {
        let value = try JSONReader.read(text)
        #expect(foundation != nil, "Foundation refuses \(text.debugDescription)")
        #expect(value.isEqual(to: foundation), "\(text.debugDescription)")
      } catch  where Self.isOurOwnWish(error) {
        continue
      } catch {
        #expect(foundation == nil || Self.isFoundationLenient(text), "we refuse \(text.debugDescription): \(error)")
      }
    }
  }

  @Test func `Python accepts and rejects the same texts`() throws {
    let texts = Self.corpus(3_000)
    let script = """
      import json, sys
      def refuse(name): raise ValueError(name)
      for line in sys.stdin:
          try: print(json.dumps(json.loads(json.loads(line), parse_constant=refuse)))
          except ValueError: print("refused")
          except RecursionError: print("refused")
      """
    let input = try texts.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) + "\n" }.joined()
    let answers = try Self.python(script, input)
    try #require(answers.count == texts.count)
    for (text, answer) in zip(texts, answers) {
      do throws(DocumentError) {
        let value = try JSONReader.read(text)
        #expect(answer != "refused", "python refuses \(text.debugDescription)")
        #expect((try? JSONReader.read(answer)) == value, "\(text.debugDescription)")
      } catch  where Self.isOurOwnWish(error) {
        continue
      } catch {
        #expect(answer == "refused", "we refuse \(text.debugDescription): \(error)")
      }
    }
  }

  private static func python(_ script: String, _ input: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-I", "-c", script]
    // A file instead of a pipe, because Python answers while it reads.
    let file = FileManager.default.temporaryDirectory.appending(path: "suzu-json-\(UUID().uuidString)")
    try input.write(to: file, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    process.standardInput = try FileHandle(forReadingFrom: file)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

extension PlainValue {
  /// Compares with Foundation's value for the same text.
  func isEqual(to object: Any?) -> Bool {
    switch (self, object) {
    case (.text(let text), let other as String): text == other
    case (.flag(let flag), let other as NSNumber): String(cString: other.objCType) == "c" && flag == other.boolValue
    case (.integer(let integer), let other as NSNumber): integer == other.int64Value
    case (.number(let number), let other as NSNumber): number == other.doubleValue
    case (.list(let values), let others as [Any]):
      values.count == others.count && zip(values, others).allSatisfy { $0.isEqual(to: $1) }
    case (.dictionary(let values), let others as [String: Any]):
      values.count == others.count && values.allSatisfy { $0.value.isEqual(to: others[$0.key]) }
    default: false
    }
  }
}
