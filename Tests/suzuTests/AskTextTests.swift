// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import suzu

/// Tests the texts of questions: who asks, and what an agent wants to do.
@Suite struct AskTextTests {
  @Test(arguments: [
    ("bash\0./deploy.sh\0--prod\0", "deploy.sh"), ("/usr/bin/python3\0/opt/a.py\0", "a.py"), ("-bash\0", "bash"),
    ("make\0deploy\0", "make"), ("sh\0-c\0secret\0", "sh"), ("python3.13\0run\0", "run"),
  ])
  func `Who asks is a name without arguments`(line: String, name: String) {
    #expect(Asker.name(commandLine: Array(line.utf8)) == name)
    #expect(Asker.name(commandLine: []) == nil)
  }

  @Test func `The end of a long command is shown, and how much is not`() {
    let command = "echo " + String(repeating: "x", count: 5000) + "; rm -rf ~"
    let (shown, hidden) = HookCommand.shortened(command)
    #expect(shown.hasPrefix("echo xxx") && shown.hasSuffix("; rm -rf ~") && shown.contains("\n…\n"))
    #expect(hidden == command.count - 800)
    #expect(HookCommand.shortened("make\ntest") == ("make\ntest", 0))
    // What would hide the rest of the text is removed.
    #expect(HookCommand.shortened("a\u{202E}b\u{1B}[8mc").text == "abc")
  }
}
