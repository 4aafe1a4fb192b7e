// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

/// Tests parsing and expansion of `Exec` lines.
@Suite(.timeLimit(.minutes(1))) struct ExecLineTests {
  static let subject = ExecLine.Subject(icon: "the icon", name: "A Name; $(rm)", path: "/a b.desktop")

  static func commands(_ line: String, _ urls: String...) throws -> [[String]] {
    try ExecLine(line).commands(opening: urls, for: subject)
  }

  static func reason(_ line: String, _ urls: [String] = []) -> String {
    do {
      return "none: \(try ExecLine(line).commands(opening: urls, for: subject))"
    } catch {
      return "\(error)"
    }
  }

  @Test(
    arguments: [
      ("a", ["a"]), ("  a\tb \n c ", ["a", "b", "c"]), ("a \"b c\"", ["a", "b c"]), ("\"a b\" c", ["a b", "c"]),
      ("a \"\" b", ["a", "", "b"]), ("a b\"c d\"e", ["a", "bc de"]), ("a 'b \"c\\'", ["a", "b \"c\\"]),
      (#"a "\"\`\$\\""#, ["a", "\"`$\\"]), (#"a "\n\x""#, ["a", #"\n\x"#]),
      (#"a b\ c \\ \""#, ["a", "b c", "\\", "\""]),
      ("sh -c \"rm -rf $HOME; exit\"", ["sh", "-c", "rm -rf $HOME; exit"]),
      ("a ; b | c > d && $(e) `f` ~ *", ["a", ";", "b", "|", "c", ">", "d", "&&", "$(e)", "`f`", "~", "*"]),
      ("a 100%% %%f", ["a", "100%", "%f"]), ("a é", ["a", "é"]), ("env A=b c", ["env", "A=b", "c"]),
    ] as [(String, [String])])
  func `A line is split into words without a shell`(_ line: String, _ words: [String]) throws {
    #expect(try Self.commands(line) == [words])
  }

  @Test func `A placeholder expands to one word`() throws {
    let hostile = "https://a/?b=$(c)&d=\"e\";f 'g'"
    #expect(try Self.commands("a %u b", hostile) == [["a", hostile, "b"]])
    #expect(try Self.commands("a --url=%u", hostile) == [["a", "--url=" + hostile]])
    #expect(try Self.commands("a \"%u\"", hostile) == [["a", hostile]])
    #expect(try Self.commands("a %c %k", "/f") == [["a", "A Name; $(rm)", "/a b.desktop", "/f"]])
    #expect(try Self.commands("a %i b") == [["a", "--icon", "the icon", "b"]])
    #expect(try ExecLine("a %i %c %k b").commands() == [["a", "b"]])
    #expect(try Self.commands("a %u %d%D%n%N%v%m x%v") == [["a", "x"]])
    #expect(try Self.commands("a --url=%u") == [["a", "--url="]])
    #expect(try Self.commands("a \"b %u\"") == [["a", "b "]])
  }

  @Test func `Several URLs are passed to one process or to one each`() throws {
    #expect(try Self.commands("a %F b", "/c", "file:///d%20e") == [["a", "/c", "/d e", "b"]])
    #expect(try Self.commands("a %U", "x:y", "/d") == [["a", "x:y", "/d"]])
    #expect(try Self.commands("a %f", "/c", "/d") == [["a", "/c"], ["a", "/d"]])
    #expect(try Self.commands("a %u", "x:c", "x:d") == [["a", "x:c"], ["a", "x:d"]])
    #expect(try Self.commands("a", "/c", "/d") == [["a", "/c", "/d"]])
    #expect(try Self.commands("a %U") == [["a"]])
  }

  @Test func `A plain file is passed by path to a program that takes URLs`() throws {
    #expect(try Self.commands("a %u", "file:///b%20c") == [["a", "/b c"]])
    #expect(
      try Self.commands("a %U", "file:///b#c", "/d#e", "file://host/f") == [
        ["a", "file:///b#c", "/d#e", "file://host/f"]
      ])
  }

  @Test(arguments: [
    ("file:///a%20b", "/a b"), ("file:/a", "/a"), ("FILE://localhost/a%2Fb?c#d", "/a/b"), ("/a%20b", "/a%20b"),
    ("file:///%C3%A9", "/é"),
  ])
  func `A file URL becomes a path`(_ url: String, _ path: String) throws {
    #expect(try Self.commands("a %f", url) == [["a", path]])
  }

  @Test(arguments: [
    "https://a/b", "file://elsewhere/a", "file:///a%00", "file:///a%2", "file:///a%zz", "file:///%FF", "file:a", "x:",
  ])
  func `A program for files rejects other URLs, and the error names only the scheme`(_ url: String) {
    let scheme = url.prefix { $0 != ":" }
    for line in ["a %f", "a %F", "a"] {
      #expect(Self.reason(line, [url]) == "the program opens files of this machine only, not '\(scheme):'")
    }
  }

  @Test(arguments: ["", "-h", "--help=x:y", "a/b", "http", ":", "1:a", "x:a\nb", "x:a\0b", "/a\u{7F}", " x:a", "é:a"])
  func `An invalid URL could be an option and is rejected`(_ url: String) {
    #expect(Self.reason("a %u", [url]) == "the argument is neither a URL nor an absolute path")
  }

  @Test(arguments: [
    ("", "it is empty"), ("  ", "it is empty"), ("\"\"", "its program is empty or contains a field code"),
    ("%f", "its program is empty or contains a field code"), ("%u a", "its program is empty or contains a field code"),
    ("/bin/%f", "its program is empty or contains a field code"),
    ("%i", "its program is empty or contains a field code"),
    ("a \"b", "an unterminated quote"), ("a 'b", "an unterminated quote"), ("a \\", "a trailing backslash"),
    ("a %", "a trailing percent sign"), ("a %x", "an unknown code after a percent sign"),
    ("a \"%é\"", "an unknown code after a percent sign"), ("a % b", "an unknown code after a percent sign"),
    ("a %f %u", "it has more than one of %f, %F, %u and %U"), ("a %U%U", "it has more than one of %f, %F, %u and %U"),
    ("a b\0c", "a NUL character"), ("a b%i", "%i must be a separate word"),
  ])
  func `An invalid line is rejected`(_ line: String, _ reason: String) {
    #expect(Self.reason(line) == "'Exec' is invalid: " + reason)
  }

  /// The quoted text is usually a shell script, and the sender of a URL must not write part of it.
  @Test func `Placeholders inside a quoted text are rejected`() {
    #expect(
      Self.reason("sh -c \"open %u\"", ["https://a/$(rm)"])
        == "'Exec' is invalid: %u is quoted together with other text")
    #expect(
      Self.reason("sh -c 'a;%F'", ["/b"]) == "'Exec' is invalid: %F is quoted together with other text")
    #expect(Self.reason("a b%F", ["/b", "/c"]) == "'Exec' is invalid: %F must be a separate word")
  }
}
