// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import Testing

/// Tests files of requests: their content and the positions of errors.
@Suite struct RequestDocumentTests {
  static func document(_ text: String) throws -> RequestDocument { try RequestDocument(Array(text.utf8)) }

  /// The first error message.
  static func complaint(about text: String) -> String? {
    do {
      let document = try document(text)
      for (number, request) in document.requests.enumerated() {
        do throws(RequestError) { try document.check(request, number: number) } catch {
          return "\(document.place(of: error)?.description ?? "nowhere"): \(error)"
        }
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  static let url = "must be a URL such as 'https://example.org/', at most 2048 bytes, without blanks"

  @Test(
    arguments: [
      (#"{"title": 5}"#, "line 1, column 11: 'title' must be a string, not 5"),
      (
        """
        {
          "title": "ü",
          "actions": [
            {"id": "a", "url": "https://example.org/"},
            {
              "id": "b",
            "url": "nowhere"
            }
          ]
        }
        """, "line 7, column 12: 'actions[1].url' \(url), not 'nowhere'"
      ),
      // Missing keys: the position of their container.
      (#"{"actions": [{"id": "a"}, {"title": "b"}], "title": "x"}"#, "line 1, column 27: 'actions[1].id' is missing"),
      ("\n {}", "line 2, column 2: 'title' is missing"),
      (
        #"{"title": ""}"#,
        "line 1, column 11: 'title' must not be empty: a notification without any text cannot be shown"
      ),
      // Unknown keys: the position of the key.
      (
        "{\"title\": \"a\",\n \"titel\" : 1}",
        "line 2, column 2: 'titel' is not a known key; did you mean 'title'?"
      ),
      (
        #"{"title": "a", "actions": [{"id": "a", "lable": "x"}]}"#,
        "line 1, column 40: 'actions[0].lable' is not a known key"
      ),
      (#"{"title": "a", "": 1}"#, "line 1, column 20: must not have an empty key"),
      (
        #"{"title": "a", "match": {"hour": "7"}}"#,
        "line 1, column 34: 'match.hour' must be an integer, not a string; give the integer 7"
      ),
      (
        #"{"title": "a", "actions": [{"id": "a", "run": ["é", 1]}]}"#,
        "line 1, column 53: 'actions[0].run[1]' must be a string"
      ),
      (
        #"{"title": "a", "actions": [{"id": "a"}, {"id": "a"}]}"#,
        "line 1, column 48: 'actions[1].id' repeats 'a'; ids must be unique"
      ),
      (
        #"{"title": "a", "userInfo": {"a": [[[[[[[]]]]]]]}}"#,
        "line 1, column 40: 'userInfo.a[0][0][0][0][0][0]' is nested deeper than 8 levels"
      ),
      (
        #"{"title": "a", "userInfo": {"a": {"b": 1}, "a.b": [[[[[[[[]]]]]]]]}}"#,
        "line 1, column 57: 'userInfo.a.b[0][0][0][0][0][0]' is nested deeper than 8 levels"
      ),
      // Several requests.
      (
        #"[{"title": "a"}, {"title": "b", "progress": 200}]"#,
        "line 1, column 45: '[1].progress' must be an integer from 0 to 100, not 200"
      ),
      ("[{\"title\": \"a\"},\n{}]", "line 2, column 1: '[1].title' is missing"),
      (#"[{"title": "a"}, 7]"#, "line 1, column 18: '[1]' must be a dictionary"),
      ("[]", "the list has no requests"), ("7", "a request must be a dictionary: { … }"),
      ("[[{}]]", "line 1, column 2: '[0]' must be a dictionary"),
    ])
  func `An error names the position in JSON`(_ json: String, _ complaint: String) {
    #expect(Self.complaint(about: json) == complaint)
  }

  @Test func `An error names the position in an XML property list`() {
    func list(_ inside: String) -> String {
      "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n\(inside)\n</plist>"
    }
    for (inside, complaint) in [
      ("<dict><key>title</key><real>5</real></dict>", "line 3, column 23: 'title' must be a string, not 5.0"),
      (
        "<dict><key>title</key><string>é</string>\n<key>titel</key><true/></dict>",
        "line 4, column 1: 'titel' is not a known key; did you mean 'title'?"
      ),
      (
        "<array><dict><key>title</key><string/><key>body</key><string>b</string></dict>\n<!-- a --> <dict/></array>",
        "line 4, column 12: '[1].title' is missing"
      ),
      (
        "<dict><key>title</key><string>a</string><key>actions</key><array>\n<dict><key>id</key><string>a</string>"
          + "<key>url</key>\n <string>x</string></dict></array></dict>",
        "line 5, column 2: 'actions[0].url' \(Self.url), not 'x'"
      ),
      ("<array><true/></array>", "line 3, column 8: '[0]' must be a dictionary"),
      ("<array/>", "the list has no requests"), ("<dict/>", "line 3, column 1: 'title' is missing"),
      ("<dict>", "line 4, column 1: </dict> is expected here"),
    ] { #expect(Self.complaint(about: list(inside)) == complaint) }
  }

  @Test func `A binary property list has no lines`() throws {
    let list = [["title": "a"], ["title": "b", "level": "loud"]]
    let bytes = [UInt8](try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
    let document = try RequestDocument(bytes)
    #expect(document.isList && document.requests.count == 2)
    #expect(throws: Never.self) { try document.check(document.requests[0], number: 0) }
    let error = #expect(throws: RequestError.self) { try document.check(document.requests[1], number: 1) }
    #expect(error?.key == "[1].level")
    #expect(try document.place(of: #require(error)) == nil)
  }

  @Test func `A long or unusual key is located as well`() {
    let key = #"a\n\u202e"# + String(repeating: "k", count: 200)
    for json in [
      "{\"title\": \"a\", \"userInfo\": {\"b\": 1,\n \"\(key)\": [[[[[[[]]]]]]]}}",
      "[{\"title\": \"a\", \"userInfo\": {\"b\": 1,\n \"\(key)\": [[[[[[[]]]]]]]}}]",
    ] {
      #expect(
        Self.complaint(about: json)?.hasPrefix("line 2, column 221: ") == true, "\(Self.complaint(about: json) ?? "")")
    }
  }

  @Test func `The format is detected by content`() throws {
    #expect(try Self.document(#"{"title": "a"}"#).requests == [["title": .text("a")]])
    #expect(try !Self.document(#"{"title": "a"}"#).isList)
    #expect(try Self.document(#" [{"title": "a"}]"#).isList)
    let xml = "<plist><dict><key>title</key><string>a</string></dict></plist>"
    #expect(try Self.document("\u{feff}" + #"{"title": "a"}"#).requests == [["title": .text("a")]])
    for head in ["", "\u{feff}", "\n \n", "<!-- a -->", "<?xml version='1.0' encoding='utf-8'?>\n", "<!DOCTYPE plist>"]
    {
      #expect(try Self.document(head + xml).requests == [["title": .text("a")]], "\(head)")
    }
    for (bytes, problem) in [
      ([0x22, 0x0a, 0x22, 0xff], "line 2, column 2: is not UTF-8 text"),
      (Array("<plist>".utf8) + [0xff], "is not UTF-8 text"),
      ([0xff, 0xfe, 0x3c, 0], "is UTF-16 text; save it as UTF-8"),
      ([0xfe, 0xff, 0, 0x3c], "is UTF-16 text; save it as UTF-8"),
    ] as [([UInt8], String)] {
      let error = #expect(throws: DocumentError.self) { try RequestDocument(bytes) }
      #expect(error?.description == problem)
    }
  }
}
