// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that no program of `Examples` is forgotten.
@Suite struct ManifestTests {
  @Test func `Each program of the packages is a target of this one, and a test runs it`() throws {
    let folder = Session.checkout.appending(path: "Examples")
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let tests = try FileManager.default.contentsOfDirectory(at: here, includingPropertiesForKeys: nil)
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    var names: [String] = []
    for example in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      guard let manifest = try? String(contentsOf: example.appending(path: "Package.swift"), encoding: .utf8) else {
        continue
      }
      names += manifest.matches(of: /executableTarget\(\s*name: "(.+?)"/).map { String($0.1) }
    }
    #expect(names.count >= 12)
    for name in names {
      #expect(FileManager.default.isExecutableFile(atPath: Session.programs + "/" + name), "\(name)")
      #expect(tests.contains("\"\(name)\"") || tests.contains("/\(name)\""), "\(name)")
    }
  }
}
