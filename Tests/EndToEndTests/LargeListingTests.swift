// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests listing and exporting hundreds of the longest requests.
@Suite(.onOwnThread, .timeLimit(.minutes(8)))
struct LargeListingTests {
  // 'list', 'list --json' and 'export' once failed with "an array of 75064797 bytes".
  @Test func `Pending requests of 250 kB are listed and exported, however many there are`() throws {
    let session = try Session()
    // Two programs without optimization handle 75 MB.
    func suzu(_ words: String...) throws -> (status: Int32, output: String, errors: String) {
      try RunningProgram.run(Session.programs + "/suzu", words, environment: session.environment, within: 120)
    }
    let body = String(repeating: "x", count: 250_000)
    let requests = (0..<300).map { "{\"id\":\"\($0)\",\"title\":\"t\",\"in\":\"1h\",\"body\":\"\(body)\"}" }
    for start in stride(from: 0, to: 300, by: 50) {
      let file = try session.folder.write(
        "[" + requests[start..<start + 50].joined(separator: ",") + "]", to: "part\(start).json")
      let imported = try suzu("import", file)
      #expect(imported.status == 0, "\(imported.errors.prefix(300))")
    }
    let list = try suzu("list")
    #expect(list.status == 0 && list.output.split(separator: "\n").count == 301, "\(list.errors.prefix(300))")
    // Only a few pages as JSON: programs without optimization take a minute for all of them.
    let json = try suzu("list", "--json", "-n", "20")
    #expect(json.status == 0)
    let rows = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
    #expect(rows?.count == 20 && rows?.allSatisfy { ($0["body"] as? String) == body } == true)
    let few = requests[..<12].map { $0.replacing("{\"id\"", with: "{\"app\":\"org.example.Few\",\"id\"") }
    let part = try session.folder.write("[" + few.joined(separator: ",") + "]", to: "few.json")
    #expect(try suzu("import", part).status == 0)
    let file = session.folder.path("exported.json")
    let exported = try suzu("export", file, "--app", "org.example.Few")
    #expect(exported.status == 0, "\(exported.errors.prefix(300))")
    let again = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file))) as? [[String: Any]]
    #expect(Set(again?.compactMap { $0["id"] as? String } ?? []).count == 12)
  }
}
