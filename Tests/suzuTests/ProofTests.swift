// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that the promises and the threat model name tests that exist, and that a name that does not is found.
@Suite struct ProofTests {
  private static func check(_ files: [String] = []) throws -> (status: Int32, errors: String) {
    let result = try RunningProgram.run(
      Session.checkout.appending(path: "Scripts/proof").path, ["check"] + files,
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
    return (result.status, result.errors)
  }

  @Test func `Each promise and each boundary is held by tests of the tree`() throws {
    let result = try Self.check()
    #expect(result.status == 0, "\(result.errors)")
  }

  private static let held = "suzudTests.ForgeryTests: A thousand forged signals of each kind have no effect"

  @Test(arguments: [
    ("suzudTests.ForgeryTests: A forged signal wins", "no test 'suzudTests.ForgeryTests: A forged signal wins'"),
    ("suzudTests.NoSuchTests: A thousand forged signals of each kind have no effect", "no test 'suzudTests.NoSuch"),
    ("FuzzTests.ForgeryTests: A thousand forged signals of each kind have no effect", "no test 'FuzzTests.Forg"),
    ("A thousand forged signals of each kind have no effect", "there is no test 'A thousand"),
  ])
  func `A test that does not exist is found, in promises and on a page`(name: String, problem: String) throws {
    let folder = try TemporaryFolder()
    let (promises, page) = (folder.path("promises.toml"), folder.path("page.md"))
    let words = "[[promise]]\ntext = \"It holds.\"\ntests = [\"\(Self.held)\", \"\(name)\"]\n"
    try words.write(toFile: promises, atomically: false, encoding: .utf8)
    let result = try Self.check([promises])
    #expect(result.status == 1 && result.errors.contains(problem), "\(result.errors)")
    // An item that is no test may be anything.
    guard name.contains("Tests.") else { return }
    try "# Page\n- \(Self.held)\n- other\n- \(name)\n".write(toFile: page, atomically: false, encoding: .utf8)
    let onPage = try Self.check([page])
    #expect(onPage.status == 1 && onPage.errors.contains(problem), "\(onPage.errors)")
  }

  @Test func `A promise without a test, and a page without one, are found`() throws {
    let folder = try TemporaryFolder()
    let (promises, page) = (folder.path("promises.toml"), folder.path("page.md"))
    try "[[promise]]\ntext = \"It holds.\"\ntests = []\n".write(toFile: promises, atomically: false, encoding: .utf8)
    #expect(try Self.check([promises]).errors.contains("no test holds 'It holds.'"))
    try "# Page\n- nothing\n".write(toFile: page, atomically: false, encoding: .utf8)
    #expect(try Self.check([page]).errors.contains("no test is named"))
    // A wrapped name is one name.
    let place = Self.held.lastIndex(of: " ") ?? Self.held.startIndex
    let wrapped = Self.held[..<place] + "\n  " + Self.held[Self.held.index(after: place)...]
    try "# Page\n- \(wrapped)\n".write(toFile: page, atomically: false, encoding: .utf8)
    #expect(try Self.check([page]).status == 0)
  }
}

/// Tests the page that is written from the results of earlier runs, here made up.
@Suite struct ProofPageTests {
  private static let program = Session.checkout.appending(path: "Scripts/proof").path
  private static let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin"]

  /// The results of a run in which all promised tests passed.
  private struct Results {
    let folder: TemporaryFolder
    private(set) var names: [String]

    /// What the test printed whose table the page shows in part.
    static let table = """
      ◇ Test "Hostile callers delay no honest one, run and see nothing forbidden, and leak no memory" started.
      faults: adversary, seed 12:
        checked                    found   bound
        honest calls that failed       0       0
        attack                     plays
        a reply of 60 MiB (box)        2

      """

    init() throws {
      folder = try TemporaryFolder()
      let promises = try String(
        contentsOf: Session.checkout.appending(path: "Tests/Proof/promises.toml"), encoding: .utf8)
      names = Array(Set(promises.matches(of: /\n  "([^"]+)",/).map { String($0.1) })).sorted()
      let stamp = try RunningProgram.run(ProofPageTests.program, ["stamp"], environment: ProofPageTests.environment)
      #expect(stamp.status == 0 && names.count > 50, "\(stamp.errors)")
      try folder.write(stamp.output, to: "tests.stamp")
      try folder.write(stamp.output, to: "bench/stamp")
      try folder.write(Self.table, to: "tests.log")
      try folder.write(
        """
        what                                                             ours       peer   ratio  at most
        client: call and reply                                       164.4 us   174.7 us    0.93     1.25  ok
        center: Notify on disk, 1 pending                            410.0 us                     2000.00  ok
        center: Notify on disk, 1000 pending                         415.5 us                     2000.00  OVER
        center: the wait for Notify on disk, 1 in flight, median     310.1 us                    10000.00  ok
        center: the wait for Notify on disk, 64 in flight, median    2810.4 us                    10000.00  ok
        center: one Notify on disk against one run of at           skipped: at does not run here

        """, to: "bench/table.txt")
    }

    /// - Parameters:
    ///   - failed: the name of a test that failed.
    ///   - skipped: the name of one that was skipped.
    func write(
      without missing: String? = nil, failed: String? = nil, skipped: String? = nil
    ) throws -> (status: Int32, errors: String) {
      func escaped(_ text: String) -> String { text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;") }
      let cases = names.filter { $0 != missing }.map { name in
        let parts = name.split(separator: ": ", maxSplits: 1)
        let failure = name == failed ? "<failure message=\"no\"/>" : name == skipped ? "<skipped/>" : ""
        return
          "<testcase classname=\"\(parts[0])\" name=\"`\(escaped(String(parts[1])))`()\" time=\"0.25\">\(failure)</testcase>"
      }
      try folder.write("<testsuites>\(cases.joined(separator: "\n"))</testsuites>", to: "tests.xml")
      let result = try RunningProgram.run(
        ProofPageTests.program, [folder.path(""), folder.path("page.md")], environment: ProofPageTests.environment)
      return (result.status, result.errors)
    }

    var page: String { get throws { try String(contentsOfFile: folder.path("page.md"), encoding: .utf8) } }
  }

  @Test func `The page has each promise with its tests, their figures, each row, and what went wrong`() throws {
    let results = try Results()
    let name = "Accepted requests survive kill -9 at random moments"
    let other =
      "FaultTests.DiskTests: A read-only disk stops no stored request, and the center writes again when it can"
    try results.folder.write(
      Results.table + """
        ◇ Test "\(name)" started.
        suzud: warning: 'of the center'
        faults: 40 kills at random moments: 0 lost
        ✔ Test "\(name)" passed after 8.368 seconds.
        faults: of no test
        """, to: "tests.log")
    let written = try results.write(failed: other, skipped: results.names.first { $0 != other })
    #expect(written.status == 0, "\(written.errors)")
    let page = try results.page
    let joined = page.replacing(#/\n +/#, with: " ")
    #expect(joined.contains("FaultTests.KillTests: \(name): passed in 0.2 s"))
    #expect(page.contains("> faults: 40 kills at random moments: 0 lost\n") && !page.contains("of no test"))
    #expect(!page.contains("'of the center'"))
    let rows = "     checked                    found   bound\n     honest calls that failed       0       0\n"
    #expect(page.contains("> faults: adversary, seed 12:\n\n     ```\n\(rows)     ```\n"), "\(page)")
    #expect(joined.contains("\(other): FAILED in 0.2 s"))
    let sum = "1 of \(results.names.count) tests failed, 1 was skipped (1 of those that hold a promise), and 1 of 6"
    #expect(joined.replacing("\n", with: " ").contains(sum), "\(joined)")
    #expect(
      page.contains(
        "| client: call and reply | 164.4 us | 174.7 us | 0.93 | 1.25 | ok | `make bench ROWS='client: call and reply'` |"
      ))
    #expect(page.contains("| center: Notify on disk, 1000 pending | 415.5 us |  |  | 2000.00 | OVER |"))
    #expect(page.contains("skipped: at does not run here") && page.contains("## Not tried"))
    let plot = try String(contentsOfFile: results.folder.path("pictures/cost-by-pending.svg"), encoding: .utf8)
    let waits = try String(contentsOfFile: results.folder.path("pictures/wait-by-load.svg"), encoding: .utf8)
    #expect(waits.contains(">2810</text>") && waits.contains(">median</text>") && page.contains("](pictures/wait-by-"))
    #expect(plot.contains(">416</text>") && plot.contains(">1,000</text>") && page.contains("](pictures/cost-by-"))
  }

  @Test func `A row is within its budget if it was in each of the last three runs of the same code`() throws {
    let results = try Results()
    let last = try String(contentsOfFile: results.folder.path("bench/table.txt"), encoding: .utf8)
    let runs = [
      last.replacing(" 0.93     1.25  ok", with: " 9.99     1.25  OVER"),
      last.replacing(" 0.93     1.25  ok", with: " 1.31     1.25  OVER"),
      last.replacing(" 0.93 ", with: " 1.07 "), last,
    ]
    let stamp = try String(contentsOfFile: results.folder.path("bench/stamp"), encoding: .utf8)
    func keep() throws {
      let result = try RunningProgram.run(
        Self.program, ["keep", results.folder.path("")], environment: Self.environment)
      #expect(result.status == 0, "\(result.errors)")
    }
    for run in runs {
      try keep()
      try results.folder.write(run, to: "bench/table.txt")
    }
    #expect(try results.write().status == 0)
    let page = try results.page
    #expect(
      page.contains("| client: call and reply | 164.4 us | 174.7 us | 0.93 | 1.25 | 1.07, 1.31 | OVER |")
        && page.contains("- **client: call and reply**, 0.93 (before: 1.07, 1.31), at most 1.25: "))
    #expect(page.contains("| center: Notify on disk, 1 pending | 410.0 us |  |  | 2000.00 | 410.0 us, 410.0 us | ok |"))
    #expect(
      page.replacing("\n", with: " ").contains("2 of 6 benchmark rows are over their budget in the last run or in"))
    // A run of other code is the first of its own.
    try results.folder.write(
      stamp.replacing("\"benchmarks\": \"", with: "\"benchmarks\": \"-"), to: "bench/stamp")
    try keep()
    try results.folder.write(stamp, to: "bench/stamp")
    #expect(try results.write().status == 0)
    #expect(try results.page.contains("| client: call and reply | 164.4 us | 174.7 us | 0.93 | 1.25 | ok |"))
  }

  @Test func `What a fuzzer showed is on the page, and is kept beside it unless it failed`() throws {
    let results = try Results()
    try results.folder.write(
      """
      Done 10000000 runs in 400 second(s)
      stat::number_of_executed_units: 10000000
      stat::average_exec_per_sec:     25000
      stat::peak_rss_mb:              61
      """, to: "fuzz/json.log")
    try results.folder.write("stat::number_of_executed_units: 12\n", to: "fuzz/rule.log")
    let stamp = try String(contentsOfFile: results.folder.path("tests.stamp"), encoding: .utf8)
    for surface in ["json", "rule"] { try results.folder.write(stamp, to: "fuzz/\(surface).stamp") }
    let written = try results.write()
    #expect(written.status == 0, "\(written.errors)")
    let page = try results.page
    #expect(page.contains("| json | 10000000 | 400 | 61 MB | 0 |") && page.contains("| rule | 12 | 0 | 0 MB | 1 |"))
    let others = try #require(page.firstMatch(of: /Not run with this code: ([^.]*)\./)).output.1
    #expect(others.contains("zone-file") && !others.contains("json") && !others.contains("rule"))
    // In another tree, with the same code.
    try FileManager.default.removeItem(atPath: results.folder.path("fuzz"))
    #expect(try results.write().status == 0)
    #expect(try results.page.contains("| json | 10000000 | 400 |") && !results.page.contains("| rule | 12 |"))
    // With other code.
    let kept = try String(contentsOfFile: results.folder.path("fuzzers.json"), encoding: .utf8)
    try results.folder.write(kept.replacing("\"fuzzers\": \"", with: "\"fuzzers\": \"-"), to: "fuzzers.json")
    #expect(try results.write().status == 0)
    let commit = try #require(kept.firstMatch(of: #/"commit": "([^"]*)"/#)).output.1
    let sentence = "without a failure: json (10000000 inputs at `\(commit)`)."
    for _ in 1...2 {
      let page = try results.page
      #expect(!page.contains("| json | 10000000 |") && page.replacing("\n", with: " ").contains(sentence), "\(page)")
      // It stays there until the fuzzer runs again.
      #expect(try results.write().status == 0)
    }
  }

  @Test func `A run of a fuzzer counts for as long as the code that it is made of is the same`() throws {
    let results = try Results()
    let stamp = try RunningProgram.run(
      Self.program, ["stamp", "fuzzers", "Sources/Zoneinfo", "Package.swift"], environment: Self.environment)
    let whole = try String(contentsOfFile: results.folder.path("tests.stamp"), encoding: .utf8)
    let digest = #/"fuzzers": "[0-9a-f]+"/#
    #expect(stamp.status == 0 && stamp.output.firstMatch(of: digest)?.output != whole.firstMatch(of: digest)?.output)
    try results.folder.write("stat::number_of_executed_units: 12\n", to: "fuzz/zone-file.log")
    // As if what it is made of had changed.
    try results.folder.write(
      stamp.output.replacing("Package.swift", with: "Makefile"), to: "fuzz/zone-file.stamp")
    let other = try results.write()
    #expect(other.status == 1 && other.errors.contains("Sources/Zoneinfo, Makefile have changed since the last run"))
    try results.folder.write(stamp.output, to: "fuzz/zone-file.stamp")
    let written = try results.write()
    #expect(written.status == 0, "\(written.errors)")
    #expect(try results.page.contains("| zone-file | 12 |"))
  }

  @Test func `The page has the runs of the simulator with their differences, and each deliberate defect`() throws {
    let results = try Results()
    let stamp = try String(contentsOfFile: results.folder.path("tests.stamp"), encoding: .utf8)
    #expect(try results.write().status == 0)
    #expect(try !results.page.contains("## The simulator"))
    let part = "of 6 days: 9500 notifications, 800 ends of the center, 30.0 s, 3.3 years a minute\n"
    let runs = [
      "seeds-1-200-days-6": "simulated 100 seeds \(part)simulated 100 seeds \(part)",
      "seeds-1-200-days-6-failures": "simulated 100 seeds \(part)seed 117, 6 days: 'r3' is shown and should not be\n",
      "seeds-1-100-days-6-optimised": "simulated 100 seeds \(part)",
      "seeds-1-1-days-3650":
        "simulated 1 seeds of 3650 days: 60000 notifications, 5000 ends of the center, 330.0 s, 1.8 years a minute\n",
      "seeds-1-20-days-6-in-part": "simulated 20 seeds \(part)",
    ]
    for (name, log) in runs {
      try results.folder.write(log, to: "simulator/\(name).log")
      try results.folder.write(stamp, to: "simulator/\(name).stamp")
    }
    // Of other code.
    try results.folder.write("simulated 7 seeds \(part)", to: "simulator/seeds-1-7-days-6.log")
    try results.folder.write(
      stamp.replacing("\"simulator\": \"", with: "\"simulator\": \"-"), to: "simulator/seeds-1-7-days-6.stamp")
    try results.folder.write(
      """
      [{"name": "commits-not-synced", "found": true, "what": "seed 2: 'r1' has not been shown", "seconds": 1.96},
       {"name": "cancel-lost", "found": true, "what": "the program crashed", "seconds": 1.5},
       {"name": "order-swapped", "found": false, "what": "NOT FOUND", "seconds": 9}]
      """, to: "mutants/results.json")
    try results.folder.write(stamp, to: "mutants/stamp")
    let written = try results.write()
    #expect(written.status == 0 && written.errors.contains("other code: seeds-1-7-days-6"), "\(written.errors)")
    let page = try results.page
    #expect(
      page.contains("| 1 to 200 | 6 | 3.3 | debug | no | 19000 | 1600 | 0 | 1.0 | `make simulate SEED=1 SEEDS=200` |"))
    #expect(
      page.contains(
        "| 1 to 200 | 6 | 1.6 | debug | yes | 9500 | 800 | seeds 117; 100 of the seeds were not played"
      ))
    #expect(page.contains("| 1 to 100 | 6 | 1.6 | optimised | no | 9500 | 800 | 0 | 0.5 |"))
    #expect(page.contains("SEED=1 SEEDS=100 OPTIMISED=1` |"))
    #expect(
      page.contains("| 1 | 3650 | 10.0 | debug | no | 60000 | 5000 | 0 | 5.5 | `make simulate SEED=1 YEARS=10` |"))
    #expect(!page.contains("| 1 to 20 |") && !page.contains("| 1 to 7 |"))
    #expect(page.contains("2 of 3 deliberate defects were found") && page.contains("| by seed 2 | 2.0 |"))
    #expect(page.contains("| `cancel-lost` |") && page.contains("| the program crashed | 1.5 |"))
    #expect(page.contains("| NOT FOUND | 9.0 |"))
  }

  @Test func `Results without a promised test, or of other code, are refused`() throws {
    let results = try Results()
    let missing = try #require(results.names.first)
    let written = try results.write(without: missing)
    #expect(written.status == 1 && written.errors.contains("'\(missing)' did not run"), "\(written.errors)")
    // A table of which no row is shown.
    try results.folder.write(Results.table.replacing(/checked|failed/, with: "(box)"), to: "tests.log")
    let empty = try results.write()
    #expect(empty.status == 1 && empty.errors.contains("no row that 'FaultTests.AdversaryTests: "), "\(empty.errors)")
    let stamp = try String(contentsOfFile: results.folder.path("tests.stamp"), encoding: .utf8)
    let others = ["tests": "tests.stamp", "benchmarks": "bench/stamp", "fuzzers": "fuzz/json.stamp"]
    try results.folder.write("", to: "fuzz/json.log")
    try results.folder.write(stamp, to: "fuzz/json.stamp")
    for (kind, file) in others {
      try results.folder.write(stamp.replacing("\"\(kind)\": \"", with: "\"\(kind)\": \"-"), to: file)
      let other = try results.write()
      #expect(other.status == 1 && other.errors.contains("have changed since the last run of the \(kind)"))
      try results.folder.write(stamp, to: file)
    }
    #expect(!FileManager.default.fileExists(atPath: results.folder.path("page.md")))
  }
}
