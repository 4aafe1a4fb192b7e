// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the pages that the package and `make install` install: the README linked to files that
/// only its developers had.
@Suite(.onOwnThread, .timeLimit(.minutes(1)))
struct InstalledPagesTests {
  @Test func `Every link of an installed page leads to an installed file`() throws {
    let folder = try TemporaryFolder()
    let made = try RunningProgram.run(
      "make",
      [
        "-C", Session.checkout.path, "--no-print-directory", "install-docs", "DESTDIR=" + folder.path("root"),
        "PREFIX=/usr",
      ],
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(made.status == 0, "\(made.errors)")
    let home = URL(filePath: folder.path("root/usr/share/doc/suzu"))
    var pages = 0
    for case let page as URL in try #require(FileManager.default.enumerator(at: home, includingPropertiesForKeys: nil))
    {
      guard page.pathExtension == "md" else { continue }
      pages += 1
      let text = try String(contentsOf: page, encoding: .utf8)
      for link in text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
        let target = page.deletingLastPathComponent().appending(path: String(link.1))
        #expect(FileManager.default.fileExists(atPath: target.path), "\(page.lastPathComponent): \(link.1)")
      }
    }
    #expect(pages > 12)
  }

  @Test func `The page about installing says where the pages are`() throws {
    let text = try String(contentsOf: Session.checkout.appending(path: "docs/INSTALL.md"), encoding: .utf8)
    #expect(text.contains("| these pages | `/usr/share/doc/suzu` | `/usr/local/share/doc/suzu` |"))
  }
}
