// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import Testing

/// Tests templates in URLs and commands.
@Suite struct TemplateTests {
  private func filled(_ text: String) throws -> String {
    let request = try NotificationRequest(app: "org.example.App", id: "i", title: "T") {
      $0.body = "B"
      $0.userInfo = ["track": .text("7/8 & more"), "n": .integer(3), "a b": .flag(true), "nul": .text("a\u{0}b")]
    }
    let response = Response(
      number: 1, app: "org.example.App", id: "i", action: "go", reply: "yes", userInfo: request.content.userInfo)
    return try Template(text).filled(for: response, of: request)
  }

  @Test(arguments: [
    ("{id} {app} {action} {reply} {title} {body}", "i org.example.App go yes T B"),
    ("{userInfo.track}|{userInfo.n}|{userInfo.a b}", "7/8 & more|3|true"),
    ("{{id}} {{foo}} {{userInfo.x}}", "{id} {foo} {userInfo.x}"),
    // Braces without a known name stay as they are: JSON, awk, format strings.
    (#"{"a": {"b": 1}}"#, #"{"a": {"b": 1}}"#),
    ("{print $1}", "{print $1}"), ("{}", "{}"), ("{", "{"), ("}", "}"), ("a{1}", "a{1}"), ("{a,b}", "{a,b}"),
    ("${HOME} ${id}", "${HOME} $i"),
    ("{{{id}}}", "{{id}}"), ("{ id }", "{ id }"), ("", ""),
  ])
  func `Placeholders are filled and other text stays`(_ template: String, _ expected: String) throws {
    #expect(try filled(template) == expected)
  }

  @Test(arguments: ["{foo}", "x {ID}", "{userInfo}", "{userinfo.a}", "{title2}"])
  func `Unknown names are rejected`(_ text: String) throws {
    #expect(throws: RequestError.self) { try Template(text) }
    #expect(throws: RequestError.self) { try NotificationRequest(["title": .text("t"), "url": .text("a:" + text)]) }
  }

  @Test func `The error names the argument and the known names`() throws {
    let error = #expect(throws: RequestError.self) {
      try Format.json.decode(#"{"id": "a", "run": ["echo", "{nam}"]}"#, as: Action.self)
    }
    #expect(error?.key == "run[1]")
    #expect(error?.problem.contains("{nam}") == true && error?.problem.contains("{userInfo.KEY}") == true)
  }

  @Test func `The program itself is never filled in`() throws {
    #expect(throws: RequestError.self) { try Format.json.decode(#"{"id": "a", "run": ["{reply}"]}"#, as: Action.self) }
  }

  @Test func `Missing values are reported`() throws {
    #expect(throws: Template.Gap("userInfo has no 'nothing'")) { try filled("{userInfo.nothing}") }
    #expect(throws: Template.Gap("a value contains a NUL character")) { try filled("{userInfo.nul}") }
  }
}
