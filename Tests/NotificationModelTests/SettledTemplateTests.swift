// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NotificationModel

/// Tests templates in which what happened stays, when a request is postponed.
@Suite struct SettledTemplateTests {
  @Test(arguments: [
    ("print {event.arg0}", "print 7"), ("{reply} {event.arg0} {userInfo.a}", "{reply} 7 {userInfo.a}"),
    // What other programs choose is text, also if it looks like a placeholder.
    ("{event.evil}", "{{reply}} {x y} {{{a}}}"), ("{event.missing}", "{{event.missing}}"),
    ("{{id}} ${HOME} {print $1} {event.arg0}", "{{id}} ${{HOME}} {print $1} 7"),
    ("no {braces here}", "no {braces here}"),
  ])
  func `Values stay, and everything else means what it meant`(_ text: String, _ settled: String) throws {
    let event = ["arg0": "7", "evil": "{reply} {x y} {{a}}"]
    #expect(Template.settled(text, event) == settled)
    let response = Response(number: 1, app: "test", id: "a", action: "b", reply: "r", event: event)
    let request = try NotificationRequest(app: AppID("test"), title: "t") { $0.userInfo = ["a": .text("u")] }
    guard text != "{event.missing}" else { return }
    let filled = try Template(text).filled(for: response, of: request)
    let later = Response(number: 1, app: "test", id: "a", action: "b", reply: "r")
    #expect(try Template(settled).filled(for: later, of: request) == filled)
  }
}
