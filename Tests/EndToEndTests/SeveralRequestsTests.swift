// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests files with several requests: all are accepted, or none.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct SeveralRequestsTests {
  @Test(arguments: ["json", "xml", "binary"])
  func `A file with several requests prints one id per line`(format: String) throws {
    let session = try Session()
    let requests: [[String: Any]] = [
      ["title": "One", "in": "1h", "id": "one"], ["title": "Two", "in": "2h"],
      ["title": "Three", "every": "1d", "id": "three"],
    ]
    let data =
      switch format {
      case "json": try JSONSerialization.data(withJSONObject: requests)
      case "xml": try PropertyListSerialization.data(fromPropertyList: requests, format: .xml, options: 0)
      default: try PropertyListSerialization.data(fromPropertyList: requests, format: .binary, options: 0)
      }
    let file = session.folder.path("several")
    try data.write(to: URL(filePath: file))
    let sent = try session.suzu("notify", "--file", file, "--level", "passive")
    #expect(sent.status == 0 && sent.errors == "")
    let printed = sent.output.split(separator: "\n").map(String.init)
    #expect(printed.count == 3 && printed[0] == "one" && printed[2] == "three")
    let rows = try session.listed()
    #expect(Session.ids(rows) == printed)
    #expect(rows.allSatisfy { $0["level"] as? String == "passive" })
    for flags in [["--wait"], ["--id", "x"]] {
      let ended = try RunningProgram.run(
        Session.programs + "/suzu", ["notify", "--file", file] + flags, environment: session.environment)
      #expect(ended.status == 64)
      #expect(ended.errors.hasPrefix("suzu: notify: '\(flags[0])' is for one request; the file has"), "\(ended.errors)")
    }
  }

  /// Errors that `suzu` detects, and errors that only the center can detect.
  @Test(arguments: [
    (
      #"[{"title": "a", "in": "1h"}, {"title": "b", "in": "soon"}]"#, "standard input, line 1, column 51: '[1].in' must"
    ),
    (
      #"[{"title": "a", "in": "1h"}, {"title": "b", "category": "nobodys"}]"#,
      "standard input, line 1, column 57: '[1].category' names 'nobodys'"
    ),
  ])
  func `One invalid request keeps out all of its file`(file: String, problem: String) throws {
    let session = try Session()
    let ended = try session.suzu("notify", "--file", "-", input: file)
    #expect(ended.status == 65 && ended.output == "")
    #expect(ended.errors.hasPrefix("suzu: notify: \(problem)"), "\(ended.errors)")
    #expect(try session.suzu("list", "--json").output == "[]\n")
  }
}
