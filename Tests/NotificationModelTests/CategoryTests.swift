// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import Testing

/// Tests categories and category files.
@Suite struct CategoryTests {
  private static func actions(_ ids: String...) -> [Action] { ids.map { Action(id: $0, title: $0) } }

  @Test func `The first four or two actions count unless others are named`() {
    let category = Category(id: "c", actions: Self.actions("a", "b", "c", "d", "e"))
    #expect(category.actions(in: .alert).map(\.id) == ["a", "b", "c", "d"])
    #expect(category.actions(in: .banner).map(\.id) == ["a", "b"])
    let chosen = Category(
      id: "c", actions: Self.actions("a", "b", "c", "d", "e"), standard: ["e", "d", "c", "b", "a"],
      minimal: ["c", "a", "b"])
    #expect(chosen.actions(in: .alert).map(\.id) == ["e", "d", "c", "b"])
    #expect(chosen.actions(in: .banner).map(\.id) == ["c", "a"])
    #expect(Category(id: "c", actions: [], standard: [], minimal: []).actions(in: .alert) == [])
  }

  @Test func `Every key is read and written in every format`() throws {
    let json = """
      {"id": "INVITE", "type": "im.received", "customDismiss": true, "default": ["reply", "accept"], "minimal": ["accept"],
       "hidden": {"body": "{count} invitations", "title": true}, "summary": "{count} more from {names} {{x}}",
       "actions": [
         {"id": "accept", "title": "Accept", "icon": "emblem-ok", "foreground": true},
         {"id": "reply", "input": {"placeholder": "Text", "button": "Send"}},
         {"id": "trash", "destructive": true, "authenticationRequired": true, "run": ["rm", "--", "{userInfo.file}"]},
         {"id": "open", "url": "https://example.org/{id}"},
         {"id": "launch", "launch": "org.example.App:new-window", "retry": true},
         {"id": "later", "snooze": "9m"}]}
      """
    let category = try Format.json.decode(json, as: Category.self)
    #expect(category.actions[1].input == Action.Input(placeholder: "Text", button: "Send"))
    #expect(category.hidden?.title == true && category.hidden?.subtitle == false)
    #expect(category.hidden?.body?.filled(count: 2) == "2 invitations")
    #expect(category.summary?.filled(count: 2, names: "A{count}") == "2 more from A{count} {x}")
    #expect(category.actions[2].destructive && category.actions[2].authenticationRequired)
    #expect(category.actions[4].effect == .launch("org.example.App:new-window"))
    #expect(category.actions[5].effect == .snooze(.seconds(540)))
    for format in Format.allCases { #expect(try format.decode(json, as: Category.self) == category) }
    #expect(try JSONDecoder().decode(Category.self, from: JSONEncoder().encode(category)) == category)
    #expect(try Category(category.plain) == category)
  }

  // 60,000 actions whose order was reversed took 8.6 s: each id was looked for among all of them.
  @Test func `A category over the limit of actions is refused, and one at the limit is read`() throws {
    func category(_ count: Int) -> String {
      let ids = (0..<count).map { "\"\($0)\"" }
      return "{\"id\": \"c\", \"actions\": [\(ids.map { "{\"id\": \($0)}" }.joined(separator: ","))]"
        + ", \"default\": [\(ids.reversed().joined(separator: ","))]}"
    }
    let most = try Format.json.decode(category(Category.mostActions), as: Category.self)
    #expect(most.actions(in: .alert).map(\.id) == ["255", "254", "253", "252"])
    #expect(most.overflow.map(\.id).prefix(2) == ["251", "250"] && most.overflow.count == 252)
    let error = #expect(throws: (any Error).self) { try Format.json.decode(category(60_000), as: Category.self) }
    #expect(error.map { "\($0)" }?.contains("60000 actions; at most 256") == true)
  }

  @Test(arguments: [
    (#"{"actions": []}"#, "id"),
    (#"{"id": "c", "action": []}"#, "action"),
    (#"{"id": "c", "actions": [{"id": "a"}, {"id": "a"}]}"#, "actions[1].id"),
    (#"{"id": "c", "actions": [{"id": "a"}], "minimal": ["b"]}"#, "minimal[0]"),
    (#"{"id": "c", "actions": [{"id": "a"}], "default": ["a", "a"]}"#, "default[1]"),
    (#"{"id": "c", "actions": [{"id": "a", "run": ["x"], "snooze": "1m"}]}"#, "actions[0].snooze"),
    (#"{"id": "c", "actions": [{"id": "a", "snooze": "0s"}]}"#, "actions[0].snooze"),
    (#"{"id": "c", "actions": [{"id": "a", "launch": "../evil.desktop"}]}"#, "actions[0].launch"),
    (#"{"id": "c", "actions": [{"id": "a", "launch": "a:"}]}"#, "actions[0].launch"),
    (#"{"id": "c", "actions": [{"id": "a", "input": true}]}"#, "actions[0].input"),
    (#"{"id": "c", "actions": [{"id": "a", "input": {"holder": ""}}]}"#, "actions[0].input.holder"),
    (#"{"id": "c", "actions": [{"id": "a", "foreground": "yes"}]}"#, "actions[0].foreground"),
    (#"{"id": "c", "actions": [{"id": "a", "run": ["x", "{y}"]}]}"#, "actions[0].run[1]"),
    (#"{"id": "", "actions": []}"#, "id"),
    (#"{"id": "c", "hidden": "text"}"#, "hidden"),
    (#"{"id": "c", "hidden": {"text": "text"}}"#, "hidden.text"),
    (#"{"id": "c", "hidden": {"title": "yes"}}"#, "hidden.title"),
    (#"{"id": "c", "hidden": {"body": "{names}"}}"#, "hidden.body"),
    (#"{"id": "c", "summary": "{number} more"}"#, "summary"),
    (#"{"id": "c", "summary": 7}"#, "summary"),
  ])
  func `An error names the key`(_ json: String, _ key: String) throws {
    for format in Format.allCases {
      let error = #expect(throws: (any Error).self) { try format.decode(json, as: Category.self) }
      #expect((error as? RequestError)?.key == key || "\(error as Any)".contains(key))
    }
  }

  @Test func `A file contains one or several categories and errors name the position`() throws {
    func read(_ text: String) throws(DocumentError) -> CategoryDocument { try CategoryDocument(Array(text.utf8)) }
    #expect(try read(#"{"id": "a", "actions": []}"#).categories.map(\.id) == ["a"])
    #expect(try read(#"[{"id": "a"}, {"id": "b"}]"#).categories.map(\.id) == ["a", "b"])
    let named = try read(#"{"app": "org.example.App", "categories": [{"id": "a"}]}"#)
    #expect(named.app == "org.example.App" && named.categories.count == 1)
    let error = #expect(throws: DocumentError.self) {
      try read("[{\"id\": \"a\"},\n {\"id\": \"b\",\n  \"actions\": [{\"id\": \"x\", \"url\": \"nonsense\"}]}]")
    }
    #expect(error?.place?.line == 3)
    #expect(error?.problem.contains("[1].actions[0].url") == true)
    for bad in ["", "7", "[7]", "{}", "[{\"id\":\"a\"},{\"id\":\"a\"}]", "{\"categories\":[],\"x\":1}", "{"] {
      #expect(throws: DocumentError.self) { try read(bad) }
    }
  }
}
