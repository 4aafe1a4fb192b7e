// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import suzu

/// Tests the parts of `suzu run` that need no center: what is kept, how progress is found, what the notification says.
@Suite struct RunTests {
  // MARK: Output

  @Test(arguments: [1, 3, 7, 10, 11, 25])
  func `The end of the output is kept in order, however it comes`(piece: Int) {
    var kept = KeptOutput(atMost: 10)
    let all = (0..<25).map { UInt8(ascii: "a") + $0 }
    for start in stride(from: 0, to: all.count, by: piece) {
      kept.append(Array(all[start..<min(start + piece, all.count)]))
      #expect(kept.bytes == Array(all[..<min(start + piece, all.count)].suffix(10)))
    }
    #expect(kept.total == 25 && kept.lost == 15)
  }

  @Test(arguments: [
    ("a\nb\n", "b"), ("a\nb\n\n  \n", "b"), ("only", "only"), ("", nil), ("\n\n", nil),
    ("10 %\r20 %\r", "20 %"), ("\u{1B}[31merror:\u{1B}[0m no such file\u{1B}[K\n", "error: no such file"),
    ("ok\n\u{1B}[0m\n", "ok"), ("tab\tbed\r\n", "tab bed"),
  ])
  func `The last line is the last one with something to read`(output: String, line: String?) {
    var kept = KeptOutput(atMost: 1000)
    kept.append(Array(output.utf8))
    #expect(kept.lastLine == line)
  }

  @Test func `A last line without an end, or that is no text, stays short`() {
    var kept = KeptOutput(atMost: 1 << 20)
    kept.append([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
    #expect((kept.lastLine ?? "").count <= 301)
    kept.append([0x0A, 0xFF, 0xFE, 0x80])
    #expect(kept.lastLine?.isEmpty == false)
  }

  // MARK: Progress

  @Test(
    arguments: [
      (["\u{1B}]9;4;1;42\u{07}"], 42), (["\u{1B}]9;4;1;42\u{1B}\\"], 42), (["\u{1B}]9;4;", "1;4", "2\u{07}"], 42),
      (["\u{1B}]9;4;1;42\u{07}", "\u{1B}]9;4;3\u{07}"], 42), (["\u{1B}]9;4;1;42\u{07}\u{1B}]9;4;0\u{07}"], nil),
      (["\u{1B}]9;4;1;42\u{07}", "99%"], 42), (["\u{1B}]9;4;1;142\u{07}"], 100), (["\u{1B}]9;4;1;42"], nil),
      (["\u{1B}]9;4;x;42\u{07}"], nil), (["\u{1B}]9;4\u{07}"], nil), (["\u{1B}]9;\u{07}50%"], 50),
      (["  3%\r", " 50%\r"], 50), (["12.7 %"], 12), (["1", "00%"], 100), (["[====>   ]  67% 1.2MB/s"], 67),
      (["500%"], nil), (["-5%"], nil), (["a7%"], nil), (["%"], nil), (["100%d"], 100), (["1,5 %"], nil),
    ] as [([String], Int?)])
  func `Progress is found in sequences and percentages`(pieces: [String], percent: Int?) {
    var reader = ProgressReader()
    for piece in pieces { reader.append(piece) }
    #expect(reader.percent == percent)
  }

  @Test func `Of a long output only the end is searched`() {
    var reader = ProgressReader()
    reader.append("10%" + String(repeating: " ", count: 5000))
    #expect(reader.percent == nil)
    reader.append(String(repeating: "%", count: 100_000) + " 20%")
    #expect(reader.percent == 20)
  }

  // MARK: The notification

  private static func report(
    _ ending: RunningCommand.Ending, _ time: Duration = .seconds(192), line: String? = nil
  ) -> [String: PlainValue] {
    var report = RunReport(words: ["make", "-j4", "all tests"], ending: ending, time: time)
    report.lastLine = line
    return report.request
  }

  @Test(
    arguments: [
      (.exited(0), "make -j4 'all tests' finished", "took 3m12s"),
      (.exited(2), "make -j4 'all tests' failed", "exit status 2 after 3m12s"),
      (.signalled(SIGKILL), "make -j4 'all tests' failed", "ended by signal 9 (Killed) after 3m12s"),
      (.signalled(SIGPIPE), "make -j4 'all tests' finished", "took 3m12s"),
      (.notStarted("make: command not found", status: 127), "make -j4 'all tests' failed", "make: command not found"),
    ] as [(RunningCommand.Ending, String, String)])
  func `The notification has command, duration and status`(
    ending: RunningCommand.Ending, title: String, body: String
  ) throws {
    let request = Self.report(ending)
    #expect(request["title"] == .text(title) && request["body"] == .text(body))
    _ = try NotificationRequest(request)
  }

  @Test func `The last line of the errors stands below`() {
    #expect(Self.report(.exited(1), line: "oops")["body"] == .text("exit status 1 after 3m12s\noops"))
  }

  @Test(arguments: [
    (Duration.milliseconds(12), "took 12ms"), (.seconds(59), "took 59s"), (.milliseconds(61_900), "took 1m1s"),
    (.seconds(3 * 86400 + 3661), "took 3d1h1m"), (.zero, "took 0s"),
  ])
  func `A duration has no parts that do not matter`(time: Duration, text: String) {
    #expect(Self.report(.exited(0), time)["body"] == .text(text))
  }

  @Test func `A long command line is shortened, and braces in it are no placeholders`() throws {
    var report = RunReport(
      words: ["echo", "{reply}", String(repeating: "x", count: 100_000)], ending: .exited(0), time: .seconds(60))
    let record = RunRecord(id: "run-a", arguments: ["--", "echo", "{nonsense}"], folder: "/", path: nil)
    report.buttons = .list(
      RunButtons(record: record, folder: "/tmp/{x}/runs", program: "/usr/bin/suzu", terminal: nil)
        .actions(hasOutput: true, isInTerminal: true).map { .dictionary($0.words) })
    let request = try NotificationRequest(report.request)
    #expect(request.content.title.count < 100 && request.content.actions.map(\.id) == ["again", "output"])
  }

  // MARK: Records

  @Test func `Records are readable by the user only, and the oldest go`() throws {
    let folder = try TemporaryFolder()
    let runs = folder.path("state/suzu/runs")
    for number in 0..<25 {
      var output = KeptOutput(atMost: 8)
      output.append(Array("output \(number)".utf8))
      let record = RunRecord(
        id: "run-\(number)", arguments: ["--", "echo", "\(number)"], folder: "/tmp", path: "/bin")
      try record.write(output, to: runs, now: 1_000_000_100)
      var times = [
        timespec(tv_sec: 1_000_000_000 + number, tv_nsec: 0), timespec(tv_sec: 1_000_000_000 + number, tv_nsec: 0),
      ]
      if number < 24 { utimensat(AT_FDCWD, RunRecord.file("run-\(number)", "json", in: runs), &times, 0) }
    }
    RunRecord.removeOld(in: runs, now: 1_000_000_100)
    let names = try FileManager.default.contentsOfDirectory(atPath: runs)
    #expect(names.count == 2 * RunRecord.most)
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(atPath: runs + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    let last = try RunRecord("run-24", in: runs)
    #expect(last.arguments == ["--", "echo", "24"] && last.folder == "/tmp" && last.path == "/bin")
    let output = String(decoding: try RunRecord.output("run-24", in: runs), as: UTF8.self)
    #expect(output == "[1 bytes before this were not kept]\nutput 24")
    #expect(throws: CommandError.self) { try RunRecord("run-0", in: runs) }
    RunRecord.removeOld(in: runs, now: 1_000_000_100 + 8 * 86400)
    #expect(try FileManager.default.contentsOfDirectory(atPath: runs).count == 2)
  }

  @Test(arguments: ["", "run-", "run-../../x", "run-/etc/passwd", "x", "run-" + String(repeating: "a", count: 300)])
  func `An id cannot lead out of the folder`(id: String) throws {
    let folder = try TemporaryFolder()
    #expect(throws: CommandError.self) { try RunRecord.output(id, in: folder.path("")) }
  }

  // MARK: Focus

  @Test(
    arguments: [
      ("11 on 1 attached,focused,UTF-8\n", true), ("11 1 1 attached,focused\n", true),
      ("11 on 1 attached,UTF-8\n", false),
      ("01 on 1 attached,focused\n", false), ("10 on 1 attached,focused\n", false), ("11 on 0 \n", false),
      ("11 off 1 attached,focused\n", nil), ("", nil), ("no server running on /tmp/x\n", false),
    ] as [(String, Bool?)])
  func `tmux knows whether its pane is in front`(output: String, isInFront: Bool?) {
    #expect(TerminalFocus.isInFront(tmux: output) == isInFront)
  }

  @Test(
    arguments: [
      ("_NET_ACTIVE_WINDOW: window id # 0x3a00007\n", 0x3a00007),
      ("_NET_ACTIVE_WINDOW: window id # 0x3a00007, 0x0\n", 0x3a00007),
      ("_NET_ACTIVE_WINDOW:  not found.\n", nil), ("", nil),
    ] as [(String, UInt64?)])
  func `The active window is read from xprop`(output: String, window: UInt64?) {
    #expect(TerminalFocus.activeWindow(output) == window)
  }

  // MARK: Hooks

  @Test func `A hook has the time, the programs and the flags that were given`() throws {
    let arguments = try Arguments(
      ["--hook", "bash", "--over", "1m30s", "--skip", "lazygit", "--sound", "it's"], flags: Verb.run.flags)
    let text = try ShellHook("bash", arguments).text
    #expect(text.contains(">= 90000000 ") && text.contains("|watch|lazygit)") && text.contains(#"'--sound=it'\''s'"#))
    for place in ["@over", "@skipped", "@run"] { #expect(!text.contains(place)) }
  }

  @Test(arguments: [["--skip", "a b"], ["--skip", "$(reboot)"], ["--skip", ""], ["--over", "soon"]])
  func `What would become a part of a program is checked`(words: [String]) throws {
    let arguments = try Arguments(words, flags: Verb.run.flags)
    #expect(throws: CommandError.self) { try ShellHook("zsh", arguments) }
  }
}
