// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// The category of all checks: five actions, each of which appends a line to a file.
enum Meeting {
  static let titles = ["Join", "Late", "Notes", "Move", "Decline"]

  static func id(of title: String) -> String { title.lowercased() }
}

extension Desktop {
  /// Registers the categories, which also starts the center.
  func register() throws {
    let program = try session.folder.write(
      "#!/bin/sh\nprintf '%s\\n' \"$1\" >>'\(session.folder.path("done"))'\n", to: "record", executable: true)
    let actions = Meeting.titles.map { title in
      #"{"id": "\#(Meeting.id(of: title))", "title": "\#(title)", "run": ["\#(program)", "{id} {action}"]}"#
    }
    let categories = """
      [{"id": "meeting", "actions": [\(actions.joined(separator: ", "))]},
       {"id": "letter", "actions": [
         {"id": "answer", "title": "Reply", "input": {"placeholder": "a few words"},
          "run": ["\(program)", "{id} {reply}"]}]}]
      """
    let set = try session.suzu(["category", "set", "--file", "-"], input: categories)
    try demand(set.status == 0, "suzu category set: \(set.errors)")
  }

  /// The actions that ran, in order: an id and an action, or a reply.
  var deeds: [String] { (session.folder.read("done") ?? "").split(separator: "\n").map(String.init) }
}
