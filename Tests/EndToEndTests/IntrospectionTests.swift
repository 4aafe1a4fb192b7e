// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationXML
import TestSupport
import Testing

/// Tests that the running programs export the interfaces of `dbus/*.xml`.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct IntrospectionTests {
  @Test func `The center exports its interface file, element by element`() throws {
    let session = try Session()
    try Self.compare("dev.suzu.Center1", at: "dev.suzu.Center", "/dev/suzu/Center", in: session)
    try Self.compare("dev.suzu.Remote1", at: "dev.suzu.Center", "/dev/suzu/Remote", in: session)
  }

  @Test func `Our notification server exports its interface file, element by element`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    try Self.compare(
      "org.freedesktop.Notifications", at: "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
      in: session)
    #expect(popups.isRunning)
  }

  private static func compare(
    _ interface: String, at name: String, _ path: String, in session: Session
  ) throws {
    let answer = try session.run("gdbus", "introspect", "--session", "-d", name, "-o", path, "--xml")
    #expect(answer.status == 0, "\(answer.errors)")
    let file = try Data(contentsOf: Session.checkout.appending(path: "dbus/\(interface).xml"))
    let promised = try lines(of: interface, in: file)
    let offered = try lines(of: interface, in: Data(answer.output.utf8))
    #expect(promised.count > 10)
    #expect(offered.difference(from: promised).map { "\($0)" } == [])
  }

  /// An interface as lines: each element with its path and attributes; comments and blanks do not count.
  private static func lines(of interface: String, in xml: Data) throws -> [String] {
    let root = try #require(try XMLDocument(data: xml).rootElement())
    let element = try #require(
      root.elements(forName: "interface").first { $0.attribute(forName: "name")?.stringValue == interface })
    func lines(_ element: XMLElement, _ depth: Int) -> [String] {
      let attributes = (element.attributes ?? []).map { "\($0.name ?? "")=\($0.stringValue ?? "")" }.sorted()
      let own = String(repeating: "  ", count: depth) + ([element.name ?? ""] + attributes).joined(separator: " ")
      return [own] + (element.children ?? []).compactMap { $0 as? XMLElement }.flatMap { lines($0, depth + 1) }
    }
    return lines(element, 0)
  }
}
