// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import WindowModel

/// Tests a request that is being written: its keys, and where each error stands.
@Suite struct RequestDraftTests {
  private static func draft(_ title: String, _ when: String, _ timing: RequestDraft.Timing = .at) -> RequestDraft {
    var draft = RequestDraft()
    (draft.title, draft.when, draft.timing) = (title, when, timing)
    return draft
  }

  @Test func `What is typed becomes the keys of a request`() throws {
    var draft = Self.draft("Dentist", " tomorrow 09:30 ")
    #expect(draft.words == ["title": .text("Dentist"), "at": .text("tomorrow 09:30")])
    draft.body = "Bring the card"
    #expect(try draft.request().content.body == "Bring the card")
    #expect(Self.draft("a", "10m", .after).words["in"] == .text("10m"))
    #expect(Self.draft("a", "Mon 07:30", .every).words["every"] == .text("Mon 07:30"))
  }

  @Test func `What is missing is said at its field`() {
    #expect(throws: RequestDraft.Problem(field: .title, text: "Give it a title")) {
      try Self.draft("  ", "tomorrow").request()
    }
    #expect {
      try Self.draft("a", " ").request()
    } throws: {
      ($0 as? RequestDraft.Problem)?.field == .when
    }
  }

  @Test func `Nothing is previewed before a time is typed, and a title is not needed`() throws {
    #expect(try Self.draft("", "").preview() == nil)
    #expect(try Self.draft("", "tomorrow").preview() != nil)
    #expect {
      try Self.draft("", "soon", .after).preview()
    } throws: {
      ($0 as? RequestDraft.Problem)?.field == .when
    }
  }

  @Test(
    arguments: [
      ("'at': '09:00' has passed", .when, "'09:00' has passed"),
      ("'title' must not be empty", .title, "The title must not be empty"),
      ("'body' is too long", .body, "The text is too long"), ("too many requests", nil, "Too many requests"),
      ("'badge' must be 0", nil, "'badge' must be 0"),
    ] as [(String, RequestDraft.Field?, String)])
  func `An error of the center stands at the field that it names`(
    _ message: String, _ field: RequestDraft.Field?, _ text: String
  ) {
    #expect(RequestDraft().problem(message) == RequestDraft.Problem(field: field, text: text))
  }

  @Test func `The popup is previewed as the server shows it`() {
    var draft = RequestDraft()
    #expect(PopupPreview(draft, on: nil).spoken == "Popup: Title")
    (draft.title, draft.body) = ("Tea \u{202E}is\nready", "Green\n\u{200B}Hot")
    let there = PopupPreview(draft, on: ("dunst 1.9.0", true))
    #expect(there.title == "Tea is ready" && there.body == "Green\nHot")
    #expect(there.remark == "As \u{2068}dunst 1.9.0\u{2069} shows it")
    let titles = PopupPreview(draft, on: ("tiny 1", false))
    #expect(titles.body.isEmpty && titles.remark == "\u{2068}tiny 1\u{2069} shows titles only")
    #expect(PopupPreview(draft, on: ("", true)).remark.hasPrefix("No notification server runs now"))
    (draft.title, draft.body) = (String(repeating: "x", count: 10_000), String(repeating: "y", count: 10_000))
    #expect(PopupPreview(draft, on: nil).title.count < 210 && PopupPreview(draft, on: nil).body.count < 410)
  }
}
