// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests that a message reaches many desktops over one real broker, also through faults. `make fleet` does the same
/// with a thousand.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct FleetTests {
  @Test func `A fleet of desktops gets every message once, through faults`() throws {
    let ended = try RunningProgram.run(
      Session.programs + "/link-fleet", ["20", "--payloads", "10", "--silence", "4"],
      environment: ["PATH": "/usr/sbin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"], within: 240)
    #expect(ended.status == 0, "\(ended)")
    let lines = ended.output.split(separator: "\n")
    for fleet in ["10", "20"] {
      let rows = lines.map { $0.split(separator: " ") }
      let row = try #require(rows.first { $0.first == fleet[...] && $0.count > 6 }, "no row of \(fleet) desktops")
      print("fleet: \(fleet) desktops: half of the messages after \(row[2]) ms, the last after \(row[4]) ms")
    }
    // At least one message was passed on again after the restart or with its id, and was known.
    let duplicates = try #require(lines.first { $0.hasPrefix("a message comes five times") })
    #expect(duplicates.split(separator: " ").suffix(5).prefix(3) == ["0", "0", "80"], "\(duplicates)")
    let last = try #require(lines.last)
    print("fleet: through six faults: \(last)")
    #expect(last == "lost 0, shown twice 0")
  }

  @Test func `A center that knows no ids shows messages twice, and the trial says so`() throws {
    let ended = try RunningProgram.run(
      Session.programs + "/link-fleet", ["3", "--payloads", "1", "--silence", "4", "--forgetful"],
      environment: ["PATH": "/usr/sbin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"], within: 120)
    #expect(ended.status == 1, "\(ended)")
    // Four more times at each of three desktops.
    let last = try #require(ended.output.split(separator: "\n").last)
    let twice = try #require(last.split(separator: " ").last.flatMap { Int($0) })
    #expect(last.hasPrefix("lost 0, shown twice ") && twice >= 12, "\(ended.output)")
  }

  @Test(arguments: [[], ["0"], ["many"], ["10", "--payloads"], ["10", "--silence", "1"]])
  func `A trial that is not understood is refused`(words: [String]) throws {
    let ended = try RunningProgram.run(
      Session.programs + "/link-fleet", words, environment: ["PATH": "/usr/bin:/bin"])
    #expect(ended.status == 64 && ended.output.hasPrefix("usage: link-fleet DESKTOPS"), "\(ended)")
  }
}
