// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the page *Apps* as a screen reader and a keyboard use it: permissions and quiet hours are those of the
/// command.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct AppsTests {
  private static let chatter = "org.example.Chatter"

  private func settings(_ stage: WindowStage) throws -> [String: Any] {
    let output = try stage.session.suzu("apps", "--json").output
    let apps = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]] ?? []
    return apps.first { $0["app"] as? String == Self.chatter } ?? [:]
  }

  private func quiet(_ stage: WindowStage, _ words: String...) throws -> [String: Any] {
    let output = try stage.session.suzu(["quiet", "show", "--json"] + words).output
    return try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
  }

  @Test func `What an app may do is switched, and the command changes the open sheet`() throws {
    let stage = try WindowStage()
    #expect(try stage.session.suzu("notify", "Hello", "--app", Self.chatter, "--in", "2h").status == 0)
    try stage.keys("alt+6")
    try stage.see(containing: "Quiet hours, Not quiet now")
    try stage.see("\(Self.chatter), Has not notified you yet")
    try stage.focus(containing: "\(Self.chatter), ")
    try stage.keys("Return")
    try stage.awaitWindow("App")
    try stage.press("Play sounds")
    try stage.wait("settings without sound") { try settings(stage)["allowed"] as? [String] == ["alert", "badge"] }
    #expect(try stage.session.suzu("apps", "deny", Self.chatter).status == 0)
    try stage.wait(for: "switches that are off") { nodes in
      nodes.contains { $0.name == "Show notifications" && $0.checked == false } ? () : nil
    }
    try stage.press("Forget what you decided")
    try stage.wait("no decision") { try settings(stage)["decided"] == nil }
    try stage.keys("ctrl+z")
    try stage.wait("the decision again") { try settings(stage)["allowed"] as? [String] == [] }
    try stage.keys("Escape")
    try stage.see("\(Self.chatter), does not notify you, without badge, Has not notified you yet")
  }

  @Test func `Times at which passive ones come are checked at their line`() throws {
    let stage = try WindowStage()
    #expect(try stage.session.suzu("apps", "allow", Self.chatter, "alert").status == 0)
    try stage.keys("alt+6")
    try stage.focus(containing: "\(Self.chatter), ")
    try stage.keys("Return")
    try stage.awaitWindow("App")
    try stage.write("12:30, noon", into: "Collect passive ones until")
    try stage.press("Set times")
    try stage.see("It must be times of day such as '12:30', not 'noon'")
    try stage.write("17:00, 12:30", into: "Collect passive ones until")
    try stage.press("Set times")
    try stage.wait("times") { try settings(stage)["deliver"] as? [String] == ["12:30", "17:00"] }
  }

  @Test func `Quiet hours of all apps are turned on and off, added, and removed with undo`() throws {
    let stage = try WindowStage()
    try stage.keys("alt+6")
    try stage.focus(containing: "Quiet hours, Not quiet now")
    try stage.keys("Return")
    try stage.awaitWindow("Quiet hours")
    try stage.press("Quiet now")
    try stage.see("Quiet until you turn it off")
    #expect(try quiet(stage)["quiet"] as? Bool == true)
    #expect(try stage.session.suzu("quiet", "off").status == 0)
    try stage.see("Not quiet now")
    try stage.write("yesterday", into: "Quiet until")
    try stage.press("Begin")
    try stage.see(containing: "'yesterday' means a past date")
    try stage.write("2h", into: "Quiet until")
    try stage.press("Begin")
    try stage.see(containing: "Quiet until To")
    for day in ["Saturday", "Sunday"] { try stage.press("On \(day)") }
    try stage.press("Add hours")
    try stage.see("Monday to Friday, 22:00 to 07:00")
    #expect(try quiet(stage)["hours"] as? [String] == ["Mon..Fri 22:00..07:00"])
    try stage.press("Remove Monday to Friday, 22:00 to 07:00")
    try stage.wait("no hours") { try quiet(stage)["hours"] as? [String] == [] }
    try stage.press("Undo")
    try stage.see("Monday to Friday, 22:00 to 07:00")
    // Days that are not chosen, or an hour that is none, are refused where they stand.
    for day in ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"] { try stage.press("On \(day)") }
    try stage.press("Add hours")
    try stage.see("Choose at least one day")
  }

  @Test func `An app has quiet hours of its own`() throws {
    let stage = try WindowStage()
    #expect(try stage.session.suzu("quiet", "pass", "critical", "--app", Self.chatter).status == 0)
    try stage.keys("alt+6")
    try stage.focus(containing: "\(Self.chatter), ")
    try stage.keys("Return")
    try stage.awaitWindow("App")
    try stage.press("Quiet now")
    try stage.see("Quiet until you turn it off")
    #expect(try quiet(stage, "--app", Self.chatter)["quiet"] as? Bool == true)
    #expect(try quiet(stage)["quiet"] as? Bool == false)
    try stage.keys("Escape")
    try stage.see(containing: "\(Self.chatter), quiet until you turn it off, ")
  }

  @Test func `Five hundred apps are listed and searched, whatever their names are`() throws {
    let stage = try WindowStage(opens: false)
    let requests = (0..<500).map { #"{"id": "n", "app": "org.example.App\#($0)", "title": "x", "in": "2h"}"# }
    let sent = try stage.session.suzu("notify", "--file", "-", input: "[\(requests.joined(separator: ","))]")
    #expect(sent.status == 0, "\(sent.errors)")
    #expect(try stage.session.suzu("apps", "deny", "אפליקציה").status == 0)
    try stage.open()
    // More than the page Upcoming reads at first.
    try stage.keys("alt+6")
    try stage.see(containing: "org.example.App0, ")
    try stage.keys("ctrl+f")
    try stage.type("app299")
    try stage.see("org.example.App299, Has not notified you yet")
    try stage.awaitAbsence(of: "org.example.App0, ")
    try stage.keys("Escape")
    try stage.see(containing: "org.example.App0, ")
    try stage.focus(containing: "Quiet hours, ")
    try stage.keys("End")
    try stage.see("אפליקציה, does not notify you, without badge, Has not notified you yet")
    try stage.keys("ctrl+f")
    try stage.type("nothing like this")
    try stage.see("Nothing found")
  }
}
