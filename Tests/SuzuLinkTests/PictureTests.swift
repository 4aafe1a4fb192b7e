// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Links

/// Tests the pictures of messages: fetched only if the link says so, from the hosts that it allows, without anything of
/// the link, and within their limits.
@Suite(.timeLimit(.minutes(2))) struct PictureTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 7, count: 100)
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF] + Array(repeating: 7, count: 100)

  private static func message(_ id: String, _ address: String) -> String {
    HTTPStand.message(
      id, "x", #","icon":"\#(address)/i.png","attachment":{"name":"a","url":"\#(address)/a.jpg","type":"image/jpeg"}"#)
  }

  /// - Parameter settings: those of the link, with the address of the server.
  private static func withLink(
    _ settings: @Sendable (UInt16) -> String,
    _ body: @Sendable (HTTPStand, HTTPStand.Request, LinkStand, ScriptedCenter, EventLoop) async throws -> Void
  ) async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let server = try HTTPStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.writeSecret("tk_secret")
      try stand.write(server: server.address, #""tokenFile": "home.secret""# + settings(server.port))
      let link = try stand.start()
      let request = try await server.requests.next()
      #expect(request.headers.contains { $0.hasPrefix("authorization: ") })
      try await body(server, request, stand, center, loop)
      #expect(link.isRunning, "\(link.errors)")
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
      await center.stop()
    }
  }

  private static func allowed(_ port: UInt16) -> String { #", "hosts": ["127.0.0.1:\#(port)"], "pictures": true"# }

  private static func answer(_ request: HTTPStand.Request, _ path: String, _ bytes: [UInt8]) {
    #expect(request.line == "GET \(path) HTTP/1.1")
    #expect(!request.headers.contains { $0.hasPrefix("authorization: ") || $0.hasPrefix("cookie: ") })
    request.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
    request.send(bytes)
    request.close()
  }

  @Test func `The icon and the picture of a message are fetched without the link's token, and go with the link`()
    async throws
  {
    try await Self.withLink(Self.allowed) { server, request, stand, center, loop in
      request.open(Self.message("m1", server.address))
      Self.answer(try await server.requests.next(), "/i.png", Self.png)
      Self.answer(try await server.requests.next(), "/a.jpg", Self.jpeg)
      let push = try await center.pushes.next()
      for (key, bytes) in [("icon", Self.png), ("image", Self.jpeg)] {
        let path = try #require(push.options[key]?.string)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
      }
      // The folder goes with the link.
      let pictures = stand.folders.pictures(of: try LinkName("home"))
      #expect(FileManager.default.fileExists(atPath: pictures))
      try stand.write("second", server: server.address)
      _ = try await server.requests.next()
      try FileManager.default.removeItem(atPath: "\(stand.folders.settings)/home.json")
      // What is done with the files is done in their order.
      try stand.write("third", server: server.address)
      _ = try await server.requests.next()
      #expect(!FileManager.default.fileExists(atPath: pictures))
    }
  }

  @Test func `What is no picture, too long, elsewhere or a redirect is left out, and the message comes`() async throws {
    try await Self.withLink(Self.allowed) { server, request, _, center, _ in
      request.open(Self.message("m1", server.address))
      Self.answer(try await server.requests.next(), "/i.png", Array("<svg></svg>".utf8))
      try await server.requests.next().answer(302, "Location: \(server.address)/b.jpg")
      #expect(try await center.pushes.next().options.keys.contains { ["icon", "image"].contains($0) } == false)
      request.send(Self.message("m2", server.address) + "\n")
      Self.answer(try await server.requests.next(), "/i.png", Self.png)
      let long = try await server.requests.next()
      long.send("HTTP/1.1 200 OK\r\n\r\n")
      // Until the link has hung up.
      let part = Self.jpeg + Array(repeating: 7, count: 65_536)
      var parts = 0
      while parts < 1000, long.send(part) { parts += 1 }
      #expect(parts < 1000)
      let second = try await center.pushes.next()
      #expect(second.id == "m2" && second.options["icon"] != nil && second.options["image"] == nil)
      // Another host, and another port of the same one.
      for (id, address) in [("m3", "https://example.com"), ("m4", "http://127.0.0.1:1")] {
        request.send(Self.message(id, address) + "\n")
        let push = try await center.pushes.next()
        #expect(push.id == id && push.options["icon"] == nil && push.options["image"] == nil)
      }
      #expect(server.requests.waiting.isEmpty)
    }
  }

  @Test func `Without the setting nothing is fetched`() async throws {
    try await Self.withLink({ #", "hosts": ["127.0.0.1:\#($0)"]"# }) { server, request, _, center, _ in
      request.open(Self.message("m1", server.address))
      let push = try await center.pushes.next()
      #expect(push.options["icon"] == nil && push.options["image"] == nil)
      #expect(server.requests.waiting.isEmpty)
    }
  }

  @Test func `Pictures need hosts`() throws {
    func link(_ more: String) throws -> LinkDefinition {
      let text = #"{"app": "a", "server": "https://ntfy.example.com", "topic": "tea", "pictures": true\#(more)}"#
      return try LinkDefinition(Array(text.utf8))
    }
    #expect(throws: (any Error).self) { try link("") }
    let allowed = try link(#", "hosts": ["example.com"]"#)
    #expect(allowed.pictures)
    #expect(try LinkDefinition(Array(allowed.text.utf8)) == allowed)
    #expect(LinkPicture(.icon, "http://example.com/a.png") == nil)
    #expect(LinkPicture(.icon, "file:///etc/passwd") == nil)
  }
}
