// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

/// Tests the limits on arguments: a program that could not be started later is refused early.
@Suite struct ArgumentLimitTests {
  private static let most = ArgumentLimit.longestArgument

  private func problem(_ effect: Action.Effect, _ request: NotificationRequest? = nil) -> String? {
    do throws(RequestError) {
      try Action(id: "go", title: "Go", effect: effect).checkLengths(in: request)
      return nil
    } catch {
      return error.description
    }
  }

  private func text(_ length: Int) -> String { String(repeating: "x", count: length) }

  @Test func `An argument may have 128 KiB less one byte`() {
    #expect(problem(.run(["echo", text(Self.most)])) == nil)
    #expect(
      problem(.run(["echo", text(Self.most + 1)]))
        == "the action 'go' would start a program with an argument of 131072 bytes; the system allows 131071; "
        + "pass long texts on standard input, which carries the response as JSON")
  }

  @Test func `A filled-in text counts with its final length`() throws {
    let body = text(Self.most - 3)
    #expect(try problem(.run(["echo", "<{body}>"]), NotificationRequest(title: "t") { $0.body = body }) == nil)
    #expect(
      try problem(.run(["echo", "<<{body}>>"]), NotificationRequest(title: "t") { $0.body = body })?.contains(
        "131072 bytes") == true)
    #expect(
      try problem(.run(["echo", "{title}{title}"]), NotificationRequest(title: text(70_000)))?.contains("140000 bytes")
        == true)
    let list = try NotificationRequest(title: "t") {
      $0.userInfo = ["a": .list([.text(text(Self.most - 4))]), "b": .integer(1)]
    }
    #expect(problem(.run(["echo", "{userInfo.a}{userInfo.gone}"]), list) == nil)
    #expect(problem(.run(["echo", "{userInfo.a}{userInfo.b}"]), list)?.contains("131072 bytes") == true)
    // What no place asks for does not count.
    #expect(
      try problem(.run(["echo", "{id}", "{{body}}"]), NotificationRequest(title: "t") { $0.body = text(500_000) })
        == nil)
  }

  @Test func `A reply counts with its greatest length`() {
    #expect(problem(.run(["echo", "{reply}"])) == nil)
    #expect(problem(.run(["echo", "{reply}" + text(Self.most - Reply.longest)])) == nil)
    #expect(problem(.run(["echo", "{reply}{reply}"]))?.contains("131072 bytes") == true)
  }

  @Test func `All arguments together may have a mebibyte`() {
    let words = Array(repeating: text(100_000), count: 10)
    #expect(problem(.run(["echo"] + words)) == nil)
    #expect(problem(.run(["echo"] + words + words))?.contains("arguments of 2000193 bytes in total") == true)
    // Each costs a pointer as well.
    #expect(problem(.run(Array(repeating: "x", count: 104_857))) == nil)
    #expect(problem(.run(Array(repeating: "x", count: 104_858)))?.contains("in total") == true)
  }

  @Test func `The length of a URL counts filled-in texts as encoded`() throws {
    #expect(try problem(.url("https://a.org/{title}"), NotificationRequest(title: text(100_000))) == nil)
    let spaces = try NotificationRequest(title: String(repeating: " ", count: 50_000))
    #expect(problem(.url("https://a.org/{title}"), spaces)?.contains("an argument of 150014 bytes") == true)
    #expect(problem(.url("https://a.org/{reply}")) == nil)
  }
}
