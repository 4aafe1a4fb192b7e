// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the completions of bash, zsh and fish in these shells.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct ShellCompletionTests {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var path: String? { RunningProgram.path(of: rawValue) }

    /// A script that prints the completions at the end of its arguments, one per line.
    fileprivate var script: String {
      let folder = Session.checkout.appending(path: "Assets/completions").path
      switch self {
      case .bash:
        // Split like readline does: `=` and `:` are separate words.
        return """
          source '\(folder)/suzu.bash'
          COMP_WORDS=()
          for word in "$@"; do
            while [[ $word == *[=:]* ]]; do
              head=${word%%[=:]*} rest=${word#"$head"}
              [[ -n $head ]] && COMP_WORDS+=("$head")
              COMP_WORDS+=("${rest:0:1}")
              word=${rest:1}
            done
            COMP_WORDS+=("$word")
          done
          COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
          compopt() { echo ":files"; }
          _suzu
          printf '%s\\n' "${COMPREPLY[@]}"
          """
      case .zsh:
        return """
          function _describe() {
            local one mark=$'\\x01'
            for one in "${(@P)2}"; do one=${one//\\\\:/$mark}; print -r -- "${${one%%:*}//$mark/:}"; done
          }
          function _files() { print :files }
          function compset() { }
          words=("$@"); CURRENT=$#words; PREFIX=$words[-1]
          function offer() { source '\(folder)/_suzu' }
          offer
          """
      case .fish:
        return "source '\(folder)/suzu.fish'; complete -C (string join ' ' -- $argv) | string split -f1 \\t"
      }
    }
  }

  private static func offered(_ shell: Shell, _ words: [String], in session: Session) throws -> [String] {
    // The command is found by its name.
    var environment = session.environment
    environment["PATH"] = "\(Session.programs):\(environment["PATH"] ?? "")"
    var arguments = ["-c", shell.script]
    if shell == .zsh { arguments.insert("-f", at: 0) }
    if shell == .bash { arguments.insert("--norc", at: 0) }
    if shell != .fish { arguments.append(shell.rawValue) }
    let ended = try RunningProgram.run(
      try #require(shell.path), arguments + ["suzu"] + words, environment: environment)
    #expect(ended.errors == "", "\(ended.errors)")
    return ended.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: Shell.allCases)
  func `A shell completes verbs, flags and values, and starts no center`(shell: Shell) throws {
    // If a shell is not installed, its test is skipped.
    guard shell.path != nil else { return print("completions: no \(shell) here, not tested") }
    let session = try Session()
    #expect(try Self.offered(shell, ["his"], in: session) == ["history"])
    let verbs = try session.suzu("--help").output.matches(of: /\n  suzu ([a-z-]+)/).map { String($0.1) }
    #expect(try Self.offered(shell, [""], in: session).sorted() == verbs.sorted() && verbs.count > 10)
    #expect(try Self.offered(shell, ["notify", "T", "--le"], in: session) == ["--level"])
    #expect(
      try Self.offered(shell, ["notify", "--level", ""], in: session).sorted() == [
        "active", "critical", "passive", "timeSensitive",
      ])
    #expect(try Self.offered(shell, ["next", "15m", "--zone", "Europe/Par"], in: session) == ["Europe/Paris"])
    #expect(try Self.offered(shell, ["cancel", ""], in: session) == [])
    try session.folder.write(
      "[Desktop Entry]\nType=Application\nName=Tea\nExec=true\nActions=brew;\n[Desktop Action brew]\nName=Brew\nExec=true -b\n",
      to: "home/.local/share/applications/org.example.Tea.desktop")
    #expect(try Self.offered(shell, ["launcher", "list", "org.example.T"], in: session) == ["org.example.Tea"])
    // bash already has the text before the colon.
    let action = try Self.offered(shell, ["launcher", "enable", "org.example.Tea:"], in: session)
    #expect(action == [shell == .bash ? "brew" : "org.example.Tea:brew"])
    #expect(try Self.offered(shell, ["launcher", "disable", ""], in: session) == [])
    #expect(try Self.offered(shell, ["--user", "no-such-user", "lis"], in: session) == ["list"])
    #expect(try Self.offered(shell, ["notify", "--category", "im.r"], in: session) == ["im.received"])
    #expect(try session.process(of: "dev.suzu.Center") == nil)
    let attached = try Self.offered(shell, ["next", "--zone=Europe/Par"], in: session)
    // bash already has the beginning.
    #expect(attached == [shell == .bash ? "Europe/Paris" : "--zone=Europe/Paris"])
  }

  @Test(arguments: Shell.allCases)
  func `A shell completes the ids that the center knows`(shell: Shell) throws {
    guard shell.path != nil else { return print("completions: no \(shell) here, not tested") }
    let session = try Session()
    for (id, app) in [("tea", "dev.suzu.Suzu"), ("tax", "dev.suzu.Suzu"), ("other", "b.c")] {
      #expect(try session.suzu("notify", "The \(id)", "--in", "1h", "--id", id, "--app", app).status == 0)
    }
    #expect(try session.suzu("category", "set", "invite", "--action", "a=A").status == 0)
    #expect(try Self.offered(shell, ["cancel", "te"], in: session) == ["tea"])
    #expect(try Self.offered(shell, ["cancel", ""], in: session).sorted() == ["tax", "tea"])
    #expect(try Self.offered(shell, ["cancel", "--app", "b.c", ""], in: session) == ["other"])
    #expect(try Self.offered(shell, ["list", "--app", "b"], in: session) == ["b.c"])
    #expect(try Self.offered(shell, ["notify", "T", "--category", "inv"], in: session) == ["invite"])
    #expect(try Self.offered(shell, ["category", "show", ""], in: session) == ["invite"])
    let popups = try session.start("popups")
    #expect(try session.suzu("notify", "Q", "--id", "q", "--action", "yes=Yes").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    #expect(try Self.offered(shell, ["dismiss", ""], in: session) == ["q"])
    #expect(try Self.offered(shell, ["respond", "q", ""], in: session).sorted() == ["default", "yes"])
  }

  @Test func `Completion without a bus prints no error`() throws {
    let ended = try RunningProgram.run(
      Session.programs + "/suzu", ["__complete", "--", "cancel", ""], environment: [:])
    #expect(ended.status == 0 && ended.output == "" && ended.errors == "")
  }
}
