// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Links

/// Tests the limits of links: lines, messages within a minute, pauses, answers of servers.
@Suite struct LimitTests {
  private static func read(_ parts: [String], longest: Int) -> [LineReader.Line] {
    var reader = LineReader(longest: longest)
    var lines: [LineReader.Line] = []
    for part in parts {
      Array(part.utf8).withUnsafeBytes { reader.read($0) { lines.append($0) } }
      #expect(reader.count <= longest)
    }
    return lines
  }

  private static func line(_ text: String) -> LineReader.Line { .bytes(Array(text.utf8)) }

  @Test func `Lines come whole, however they are divided`() {
    #expect(
      Self.read(["ab\nc", "d", "\n\ne\n", "rest"], longest: 10) == [Self.line("ab"), Self.line("cd"), Self.line("e")])
    let text = "one\ntwo\nthree\n"
    #expect(Self.read(text.map(String.init), longest: 5) == ["one", "two", "three"].map(Self.line))
  }

  @Test func `A line that is too long is dropped, and the next one counts`() {
    #expect(Self.read(["12345\n", "123456\nab\n"], longest: 5) == [Self.line("12345"), .tooLong, Self.line("ab")])
    #expect(Self.read(["123", "456", "789\nab\n"], longest: 5) == [.tooLong, Self.line("ab")])
  }

  @Test func `Ten mebibytes in one line leave nothing behind`() {
    var reader = LineReader(longest: 1024)
    var lines: [LineReader.Line] = []
    let part = [UInt8](repeating: 120, count: 16_384)
    for _ in 0..<640 { part.withUnsafeBytes { reader.read($0) { lines.append($0) } } }
    #expect(lines.isEmpty && reader.count == 0)
    [10, 97, 10].withUnsafeBufferPointer { bytes in
      bytes.map { UInt8($0) }.withUnsafeBytes { reader.read($0) { lines.append($0) } }
    }
    #expect(lines == [.tooLong, Self.line("a")])
  }

  @Test func `A minute's messages may come at once, then one after another`() {
    var allowance = MessageAllowance(perMinute: 60)
    for _ in 0..<60 { #expect(allowance.take(at: .seconds(100)) == nil) }
    #expect(allowance.take(at: .seconds(100)) == .seconds(1))
    #expect(allowance.take(at: .milliseconds(100_500)) == .milliseconds(500))
    #expect(allowance.take(at: .seconds(101)) == nil)
    #expect(allowance.take(at: .seconds(101)) == .seconds(1))
    for _ in 0..<60 { #expect(allowance.take(at: .seconds(200)) == nil) }
    #expect(allowance.take(at: .seconds(200)) != nil)
  }

  @Test func `Pauses grow to the longest, and differ`() {
    var numbers = SeededNumbers(seed: 7)
    var backoff = Backoff(first: .seconds(1), longest: .seconds(60))
    for whole in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
      let pause = backoff.next(using: &numbers)
      #expect(pause >= .seconds(whole) / 2 && pause <= .seconds(whole), "\(whole): \(pause)")
    }
    for _ in 0..<1000 { _ = backoff.next(using: &numbers) }
    backoff.reset()
    let pauses = Set(
      (0..<20).map { _ in
        backoff.reset()
        return backoff.next(using: &numbers)
      })
    #expect(pauses.count > 10 && pauses.allSatisfy { $0 <= .seconds(1) })
  }

  @Test(arguments: [
    (429, true), (500, true), (503, true), (408, true), (401, false), (403, false), (404, false), (301, false),
    (400, false),
  ])
  func `Some answers pass, others need a change`(status: Int, isTemporary: Bool) {
    let answer = ServerAnswer(status: status, retryAfter: nil, hasSecret: true)
    #expect(answer.isTemporary == isTemporary && !answer.problem.isEmpty && answer.pause == nil)
  }

  @Test func `A server may ask for a pause, but not for one without end`() {
    #expect(ServerAnswer(status: 429, retryAfter: 30, hasSecret: false).pause == .seconds(30))
    #expect(ServerAnswer(status: 503, retryAfter: .max, hasSecret: false).pause == .seconds(3600))
    #expect(ServerAnswer(status: 503, retryAfter: -5, hasSecret: false).pause == nil)
  }
}
