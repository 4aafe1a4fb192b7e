// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the page that the other tests of this target write.
@Suite struct ReportTests {
  // The page had three tables of 18 columns, each with up to 33 notes of its own.
  @Test func `The page is what the next run would write`() throws {
    let folder = Session.checkout.appending(path: "docs")
    let text = try String(contentsOf: folder.appending(path: "MEASUREMENTS.md"), encoding: .utf8)
    #expect(Report.page(text, pictures: folder.appending(path: "pictures").path) == text)
  }

  @Test func `The page of desktops names the versions that were tested`() throws {
    let folder = Session.checkout.appending(path: "docs")
    let measured = try String(contentsOf: folder.appending(path: "MEASUREMENTS.md"), encoding: .utf8)
    let desktops = try String(contentsOf: folder.appending(path: "SERVERS.md"), encoding: .utf8)
    // For each server: its versions by release, without the epoch of the package.
    var versions: [String: [Substring: Substring]] = [:]
    for section in measured.components(separatedBy: "\n## ").dropFirst() {
      guard let releases = section.firstMatch(of: /\n\| check \| (.*) \| remark \|/)?.1,
        let row = section.firstMatch(of: /\n\| version \| (.*) \|/)?.1
      else { continue }
      let found = zip(releases.split(separator: " | "), row.split(separator: " | ").map { $0.trimmingPrefix(/\d+:/) })
      versions[String(section.prefix { $0 != "\n" })] = Dictionary(uniqueKeysWithValues: Array(found))
    }
    let named = desktops.matches(of: /\[([0-9.]+)\]\(pictures\/([a-z0-9-]+?)(-trixie|-forky)?\.png\)/)
    #expect(named.count >= 43)
    for one in named {
      let release = [nil: "Debian 12 (bookworm)", "-trixie": "Debian 13 (trixie)", "-forky": "Debian forky/sid"][one.3]
      let found = versions[String(one.2)]?[Substring(release ?? "")]
      let isRight = found.map { $0.hasPrefix(one.1) && $0.dropFirst(one.1.count).first?.isNumber != true } ?? false
      #expect(isRight, "\(one.0), but measured was \(found ?? "nothing")")
    }
  }

  @Test func `New results replace those of the same server and release, and no others`() throws {
    let one = ServerResults.Column(version: "1.0", cells: ["minimal": .init(text: "✓ 2", note: "It lies.")])
    let two = ServerResults.Column(version: "2.0", cells: ["minimal": .init(text: "✓ 3", note: nil)])
    let first = Report.page("", adding: ["dunst": ("Debian 12 (bookworm)", one)], pictures: "/none")
    #expect(first.contains("\n## dunst\n\n| check | Debian 12 (bookworm) | remark |\n"))
    #expect(first.contains("\n| version | 1.0 |  |\n| minimal | ✓ 2 | It lies. |\n"))
    let both = Report.page(first, adding: ["dunst": ("Debian 13 (trixie)", two)], pictures: "/none")
    #expect(both.contains("\n| version | 1.0 | 2.0 |  |\n"))
    #expect(both.contains("\n| minimal | ✓ 2 | ✓ 3 | Debian 12 (bookworm): It lies. |\n"))
    let again = Report.page(both, adding: ["dunst": ("Debian 12 (bookworm)", two)], pictures: "/none")
    #expect(again.contains("\n| minimal | ✓ 3 | ✓ 3 |  |\n"))
    #expect(again.components(separatedBy: "\n## ").count == 6)
  }
}
