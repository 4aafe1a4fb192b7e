// SPDX-License-Identifier: Apache-2.0
import Suzu
import SuzuTesting
import Testing

/// Tests what a spy sees of a handler: done, failed, reported twice, forgotten, never reported.
@Suite(.timeLimit(.minutes(1))) struct SpyResponseTests {
  private let spy = SpyCenter()
  private var app: SpyApp { spy.app("org.example.App") }

  /// The response to a press on the only button, as the program gets it.
  private func press(_ responses: AsyncStream<AppResponse>) async throws -> (SpyResponse, AppResponse) {
    try await app.notify("T", id: "t", actions: [Action(id: "ok", title: "OK")])
    let seen = try spy.user.press("ok", on: "t")
    var iterator = responses.makeAsyncIterator()
    return (seen, try #require(await iterator.next()))
  }

  @Test func `Done, and failed with a reason`() async throws {
    let responses = app.responses()
    let (done, first) = try await press(responses)
    #expect(done.outcome == nil && done.reports.isEmpty)
    await first.complete()
    #expect(done.outcome == .done && done.reports == [.completed] && !done.isReportedTwice)
    let (failed, second) = try await press(responses)
    await second.fail("no paper")
    #expect(failed.outcome == .failed("no paper") && failed.reports == [.failed("no paper")])
    #expect(spy.responses.map(\.outcome) == [.done, .failed("no paper")])
  }

  @Test func `Reported twice: the first report counts`() async throws {
    let responses = app.responses()
    let (seen, response) = try await press(responses)
    await response.complete()
    await response.fail("changed my mind")
    #expect(seen.outcome == .done && seen.isReportedTwice)
    #expect(seen.reports == [.completed, .failed("changed my mind")])
  }

  @Test func `Released without a report`() async throws {
    let responses = app.responses()
    let seen = try await press(responses).0
    #expect(await seen.outcome() == .failed("the app did not say that it was done"))
  }

  @Test func `Held without a report for thirty seconds`() async throws {
    let responses = app.responses()
    let (seen, response) = try await press(responses)
    #expect(await seen.outcome(within: .milliseconds(10)) == nil)
    spy.clock.advance(by: .seconds(30) - .milliseconds(1))
    #expect(seen.outcome == nil)
    spy.clock.advance(by: .milliseconds(1))
    #expect(seen.outcome == .failed("the app did not say within 30s that it was done"))
    await response.complete()
    #expect(seen.outcome == .failed("the app did not say within 30s that it was done") && seen.reports == [.completed])
  }

  @Test func `A handler that stops handling gets no more`() async throws {
    let responses = app.responses()
    let reading = Task {
      for await response in responses { await response.complete() }
    }
    try await app.notify("T", id: "t", actions: [Action(id: "ok", title: "OK")])
    #expect(await (try spy.user.press("ok", on: "t")).outcome() == .done)
    reading.cancel()
    await reading.value
    try await app.notify("T", id: "t", actions: [Action(id: "ok", title: "OK")])
    let seen = try spy.user.press("ok", on: "t")
    #expect(!seen.isReceived && seen.outcome == nil)
  }

  @Test func `The spy carries no effect out, and tells it`() async throws {
    try await spy.notify(
      "T", id: "t",
      actions: [
        Action(id: "run", title: "Run", effect: .run(["rm", "-rf", "/"])),
        Action(id: "url", title: "URL", effect: .url("https://example.org")),
      ])
    let response = try spy.user.press("run", on: "t")
    #expect(response.effect == .run(["rm", "-rf", "/"]) && response.outcome == .done && !response.isReceived)
    #expect(spy.shown.isEmpty && spy.ended.map(\.reason) == [.withdrawn])
  }

  @Test func `The user cannot press what is not there`() async throws {
    try await spy.notify("T", id: "t", actions: [Action(id: "ok", title: "OK"), Action(id: "no", title: "No")])
    #expect(throws: SuzuError.self) { try spy.user.press("nothing", on: "t") }
    #expect(throws: SuzuError.self) { try spy.user.press("ok", on: "other") }
    #expect(throws: SuzuError.self) { try spy.user.press("ok", on: "t", app: "org.example.Other") }
    #expect(throws: SuzuError.self) { try spy.user.type("text", on: "t") }
    try spy.user.press("ok", on: "t")
    #expect(throws: SuzuError.self) { try spy.user.press("ok", on: "t") }
  }

  @Test func `A click means what it means to the center`() async throws {
    try await spy.notify("T", id: "only", actions: [Action(id: "run", title: "Run", effect: .run(["true"]))])
    #expect(try spy.user.click("only").response.action == "run")
    try await spy.notify("T", id: "url") { $0.url = "https://example.org" }
    let opened = try spy.user.click("url")
    #expect(opened.response.action == Action.defaultID && opened.effect == .url("https://example.org"))
    try await spy.notify("T", id: "alert", actions: [Action(id: "a", title: "A"), Action(id: "b", title: "B")]) {
      $0.style = .alert
    }
    #expect(throws: SuzuError.self) { try spy.user.click("alert") }
  }

  @Test func `An app that may not notify is not shown`() async throws {
    spy.user.allow([], app: "org.example.App")
    #expect(app.register(for: [.alert, .sound]).isEmpty)
    #expect(app.settings().isDecided)
    try await app.notify("T", id: "t")
    #expect(spy.shown.isEmpty && spy.ended.map(\.reason) == [.notAllowed])
  }
}
