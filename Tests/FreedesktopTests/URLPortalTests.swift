// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// A scripted portal.
struct ScriptedPortal: Sendable {
  struct Question: Sendable {
    let sender: BusName
    let url: String
    let options: [String: Value]
    let handle: ObjectPath
  }

  enum Answer: Sendable {
    case response(UInt32)
    /// As portals before 0.9 do.
    case responseOfOldHandle(UInt32)
    case silence
    case refusal
    /// Answers another request, and lets another peer answer ours.
    case forgery(Connection)
  }

  let connection: Connection
  let questions = Inbox<Question>()
  let closed = Inbox<ObjectPath>()

  static func start(on bus: PrivateBus, _ loop: EventLoop, _ answer: Answer) async throws -> ScriptedPortal {
    let portal = ScriptedPortal(connection: try await bus.connect(on: loop))
    let (connection, questions, closed) = (portal.connection, portal.questions, portal.closed)
    @Sendable func response(_ handle: ObjectPath, _ code: UInt32) -> Signal {
      Signal(handle, "org.freedesktop.portal.Request", "Response", [.uint32(code), .properties([:])])
    }
    try await connection.export(
      Interface(
        "org.freedesktop.portal.OpenURI",
        methods: [
          Method("OpenURI", in: ["parent": "s", "uri": "s", "options": "a{sv}"], out: ["handle": "o"]) { call in
            let options = call.arguments[2].properties ?? [:]
            let sender = call.sender.text.dropFirst().replacingOccurrences(of: ".", with: "_")
            let text = "/org/freedesktop/portal/desktop/request/\(sender)/\(options["handle_token"]?.string ?? "")"
            var handle = ObjectPath(text) ?? "/"
            if case .responseOfOldHandle = answer { handle = "/org/freedesktop/portal/desktop/request/old" }
            if case .refusal = answer { throw RemoteError("org.freedesktop.portal.Error.NotAllowed", "no \(text)") }
            questions.put(
              Question(sender: call.sender, url: call.arguments[1].string ?? "", options: options, handle: handle))
            let requested = handle
            try await connection.export(
              Interface(
                "org.freedesktop.portal.Request",
                methods: [
                  Method("Close") { _ in
                    closed.put(requested)
                    return []
                  }
                ]), at: requested)
            switch answer {
            // Before the reply, the earliest possible time.
            case .response(let code), .responseOfOldHandle(let code): try await connection.emit(response(handle, code))
            case .forgery(let other):
              try await connection.emit(response("/org/freedesktop/portal/desktop/request/other", 0))
              try await other.emit(response(handle, 0))
            case .silence, .refusal: break
            }
            return [.objectPath(handle)]
          }
        ]), at: "/org/freedesktop/portal/desktop")
    #expect(try await connection.requestName("org.freedesktop.portal.Desktop") == .owner)
    return portal
  }
}

/// Tests opening of URLs through the desktop portal.
@Suite(.timeLimit(.minutes(1))) struct URLPortalTests {
  private static func open(
    url: String = "https://example.org/tea", _ answer: ScriptedPortal.Answer, limit: Duration = .seconds(20),
    _ check: @Sendable (ScriptedPortal) async throws -> Void = { _ in }
  ) async throws -> URLOpener.Ending {
    try await withBus(PrivateBus()) { loop, bus in
      let portal = try await ScriptedPortal.start(on: bus, loop, answer)
      let connection = try await bus.connect(on: loop)
      let ending = await URLOpener.open(
        url, activationToken: "token", throughPortalOf: connection, on: loop, policy: URLPolicy(allowsFiles: true),
        limit: limit)
      try await check(portal)
      await connection.close()
      await portal.connection.close()
      return ending
    }
  }

  @Test func `The portal gets URL and token and its answer counts`() async throws {
    let ending = try await Self.open(url: "https://example.org/tea", .response(0)) { portal in
      let question = try await portal.questions.next()
      #expect(question.url == "https://example.org/tea")
      #expect(question.options["activation_token"] == "token")
      #expect(question.options.keys.sorted() == ["activation_token", "handle_token"])
    }
    #expect(ending == .opened)
    #expect(try await Self.open(.response(1)) == .failed("the user refused in the portal's dialog"))
    #expect(try await Self.open(.response(2)) == .failed("the portal could not open it"))
    #expect(try await Self.open(.responseOfOldHandle(0)) == .opened)
  }

  @Test func `A forbidden URL does not reach the portal`() async throws {
    for (url, reason) in [
      ("file:///usr/share/doc", "scheme 'file'"), ("javascript:alert(1)", "scheme 'javascript'"),
      ("https://a@b", "credentials in the URL"), ("-x", "no scheme"),
    ] {
      let ending = try await Self.open(url: url, .response(0)) { #expect($0.questions.waiting.isEmpty) }
      #expect(ending == .refused(reason))
    }
  }

  @Test func `A refusal is reported by its error name, without the URL`() async throws {
    #expect(try await Self.open(.refusal) == .failed("the portal: org.freedesktop.portal.Error.NotAllowed"))
  }

  @Test func `A request without a timely answer is closed`() async throws {
    let ending = try await Self.open(.silence, limit: .milliseconds(300)) { portal in
      let handle = try await portal.questions.next().handle
      #expect(try await portal.closed.next() == handle)
    }
    #expect(ending == .failed("portal timed out"))
  }

  @Test func `An answer from another peer or to another request is ignored`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let forger = try await bus.connect(on: loop)
      let portal = try await ScriptedPortal.start(on: bus, loop, .forgery(forger))
      let connection = try await bus.connect(on: loop)
      let ending = await URLOpener.open(
        "https://example.org", activationToken: nil, throughPortalOf: connection, on: loop, limit: .milliseconds(500))
      #expect(ending == .failed("portal timed out"))
      #expect(try await portal.questions.next().options["activation_token"] == nil)
      for each in [forger, connection, portal.connection] { await each.close() }
    }
  }

  @Test func `A missing portal or bus is reported`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let connection = try await bus.connect(on: loop)
      func open() async -> URLOpener.Ending {
        await URLOpener.open("https://a", activationToken: nil, throughPortalOf: connection, on: loop)
      }
      #expect(await open() == .failed("the portal: org.freedesktop.DBus.Error.ServiceUnknown"))
      bus.kill()
      await connection.close()
      #expect(await open() == .failed("the portal does not answer"))
    }
  }
}
