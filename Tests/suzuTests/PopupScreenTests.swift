// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import Testing

@testable import suzu

/// Tests popups as lines of text over pipes.
@Suite(.timeLimit(.minutes(1))) struct PlainPopupsTests {
  private static let theme = PopupTheme(isUnicode: true, hasColour: false)

  private func stand(_ input: End, _ output: End) async throws -> ScreenStand {
    try await ScreenStand { loop in
      PlainPopups(theme: Self.theme, input: input.descriptor, output: output.descriptor, on: loop)
    }
  }

  @Test func `A popup is printed and a command presses its button`() async throws {
    let (input, commands) = try End.pipe()
    let (lines, output) = try End.pipe()
    let stand = try await stand(input, output)
    var told = stand.told.makeAsyncIterator()
    await stand.on { screen in
      screen.show(.tea)
      screen.show(.chat)
    }
    #expect(
      try lines.receive(through: "from Chat\n") == """
        #3 Tea is ready
            It has drawn for four minutes.
            [1] Done  [2] Snooze  [open] Show
            from Kitchen
        #5 Ann
            Are you coming?
            [reply] Answer (Your answer)
            from Chat

        """)
    commands.send("3:2\nreply see you: 10:30\n")
    #expect(await told.next() == "\(PopupEvent.invoked(3, key: "snooze"))")
    #expect(await told.next() == "\(PopupEvent.closed(3, .dismissed))")
    #expect(await told.next() == "\(PopupEvent.replied(5, text: "see you: 10:30"))")
    #expect(await told.next() == "\(PopupEvent.closed(5, .dismissed))")
    #expect(
      try lines.receive(through: "#5 closed: dismissed\n")
        == "#3 pressed: snooze\n#3 closed: dismissed\n#5 replied: see you: 10:30\n#5 closed: dismissed\n")
    await stand.finish()
  }

  @Test func `A failed command prints the reason`() async throws {
    let (input, commands) = try End.pipe()
    let (lines, output) = try End.pipe()
    let stand = try await stand(input, output)
    commands.send("1\n")
    #expect(try lines.receive(through: "\n") == "? no notification is open\n")
    await stand.on { $0.show(.disk) }
    _ = try lines.receive(through: "CRITICAL\n")
    for (command, answer) in [
      ("9:1", "? #9 is not open"), ("2", "? #4 has no button 2: it has 1"),
      ("reply x", "? #4 does not ask for a reply"),
      ("da\u{1B}[2Jnce", "? unknown command 'dance'; 'help' lists the commands"),
    ] {
      commands.send(command + "\n")
      #expect(try lines.receive(through: "\n") == answer + "\n")
    }
    await stand.on { $0.close(4) }
    #expect(try lines.receive(through: "\n") == "#4 closed: withdrawn\n")
    await stand.finish()
  }

  /// `suzu popups --help` and the manual page mention this command.
  @Test func `The command help lists every command`() async throws {
    let (input, commands) = try End.pipe()
    let (lines, output) = try End.pipe()
    let stand = try await stand(input, output)
    commands.send("help\n")
    let text = try lines.receive(through: "end this notification server\n")
    for word in ["1, 2, 3", "open", "dismiss", "reply TEXT", "ID:COMMAND", "help", "quit"] {
      #expect(text.contains("\n! \(word) ") || text.hasPrefix("! \(word) "), "\(word)")
    }
    await stand.finish()
  }

  @Test func `The server continues at the end of input and ends with quit`() async throws {
    var commands: End?
    let input: End
    (input, commands) = try End.pipe()
    let (lines, output) = try End.pipe()
    let stand = try await stand(input, output)
    var told = stand.told.makeAsyncIterator()
    #expect(commands != nil)
    commands = nil
    await stand.on { $0.show(.plain(1, .after(.milliseconds(30)))) }
    #expect(try lines.receive(through: "expired\n") == "#1 Popup 1\n#1 closed: expired\n")
    #expect(await told.next() == "\(PopupEvent.closed(1, .expired))")
    await stand.finish()

    let (again, quitting) = try End.pipe()
    let second = try await self.stand(again, output)
    var ended = second.told.makeAsyncIterator()
    quitting.send("quit\n")
    #expect(await ended.next() == "end quit")
    await second.finish()
  }

  @Test func `A closed output ends the server`() async throws {
    let (input, commands) = try End.pipe()
    var ends: (reading: End, writing: End)? = try End.pipe()
    let output = try #require(ends).writing
    let stand = try await stand(input, output)
    var told = stand.told.makeAsyncIterator()
    ends = nil
    #expect(await told.next() == "end lost")
    withExtendedLifetime(commands) {}
    await stand.finish()
  }

  @Test func `A slow reader blocks nothing and learns how many events it missed`() async throws {
    let (input, commands) = try End.pipe()
    let (lines, output) = try End.pipe()
    let stand = try await stand(input, output)
    await stand.on { screen in
      for id in 1...160 {
        screen.show(Popup(id: UInt32(id), summary: "x", body: String(repeating: "text ", count: 1900), expiry: .never))
      }
    }
    let text = try lines.receive(through: "too slow\n")
    #expect(text.hasPrefix("#1 x\n") && text.contains("! ") && !text.contains("#159 x\n"))
    withExtendedLifetime(commands) {}
    await stand.finish()
  }

  // MARK: Commands

  @Test(
    arguments: [
      ("1", nil, .press(1)), ("3:1", 3, .press(1)), ("#3: 12 ", 3, .press(12)), ("", nil, .open), ("3:", 3, .open),
      (" open\r", nil, .open), ("3:dismiss", 3, .dismiss), ("help", nil, .help), ("quit", nil, .quit),
      ("reply a: b", nil, .reply("a: b")),
      ("7:reply  x  y ", 7, .reply("x  y")),
    ] as [(String, UInt32?, PlainCommand.Verb)])
  func `A valid line is parsed`(line: String, id: UInt32?, verb: PlainCommand.Verb) throws {
    let command = try #require(PlainCommand(line))
    #expect(command.id == id && command.verb == verb)
  }

  @Test(arguments: [
    "0", "-1", "x", "3:x", "3:quit", "3:help", "help me", "quit now", "open 3", "reply", "reply ", "99999999999:1",
    "1 2",
  ])
  func `An invalid line is rejected`(line: String) {
    #expect(PlainCommand(line) == nil)
  }
}

/// Tests full-screen popups on a pseudo-terminal.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: End.canMakeTerminals, "no pseudo-terminals here: is /dev/pts mounted, as in a chroot it may not be?"))
struct FullScreenPopupsTests {
  private static let theme = PopupTheme(isUnicode: true, hasColour: false)

  private func stand(
    _ program: End, graphics: GraphicsSearch = GraphicsSearch(.none)
  ) async throws -> ScreenStand {
    try await ScreenStand { loop in
      FullScreenPopups(
        theme: Self.theme, graphics: graphics, input: program.descriptor, output: program.descriptor, on: loop)
    }
  }

  private func mode(of end: End) -> (UInt32, UInt32, UInt32) {
    var mode = termios()
    tcgetattr(end.descriptor, &mode)
    return (mode.c_iflag, mode.c_oflag, mode.c_lflag)
  }

  @Test func `The terminal is taken over, answers, and is restored`() async throws {
    let (user, program) = try End.terminal(columns: 40, rows: 12)
    let before = mode(of: program)
    let stand = try await stand(program)
    var told = stand.told.makeAsyncIterator()
    #expect(try user.receive(through: "No notifications.").contains("\u{1B}[?1049h"))
    #expect(mode(of: program) != before)
    await stand.on { $0.show(.tea) }
    _ = try user.receive(through: "Enter: Show")
    user.send("2")
    #expect(await told.next() == "\(PopupEvent.invoked(3, key: "snooze"))")
    #expect(await told.next() == "\(PopupEvent.closed(3, .dismissed))")
    user.send("q")
    #expect(await told.next() == "end quit")
    let last = try user.receive(through: "\u{1B}[?1049l")
    for restored in ["\u{1B}[?1006l", "\u{1B}[?1000l", "\u{1B}[?2004l", "\u{1B}[?7h", "\u{1B}[?25h"] {
      #expect(last.contains(restored))
    }
    #expect(mode(of: program) == before)
    await stand.finish()
  }

  @Test func `A reply is typed and a click is received`() async throws {
    let (user, program) = try End.terminal(columns: 40, rows: 12)
    let stand = try await stand(program)
    var told = stand.told.makeAsyncIterator()
    await stand.on { $0.show(.chat) }
    _ = try user.receive(through: "[r]")
    user.send("rja 漢\r")
    #expect(await told.next() == "\(PopupEvent.replied(5, text: "ja 漢"))")
    #expect(await told.next() == "\(PopupEvent.closed(5, .dismissed))")
    _ = try user.receive(through: "No notifications.")
    await stand.on { $0.show(.tea) }
    _ = try user.receive(through: "Enter: Show")
    user.send("\u{1B}[<0;38;1M")
    #expect(await told.next() == "\(PopupEvent.closed(3, .dismissed))")
    await stand.finish()
  }

  @Test func `A lone Escape dismisses but the beginning of an arrow key does not`() async throws {
    let (user, program) = try End.terminal(columns: 40, rows: 12)
    let stand = try await stand(program)
    var told = stand.told.makeAsyncIterator()
    await stand.on { $0.show(.tea) }
    _ = try user.receive(through: "Enter: Show")
    user.send("\u{1B}[")
    user.send("B1")
    #expect(await told.next() == "\(PopupEvent.invoked(3, key: "done"))")
    #expect(await told.next() == "\(PopupEvent.closed(3, .dismissed))")
    await stand.on { $0.show(.tea) }
    user.send("\u{1B}")
    #expect(await told.next() == "\(PopupEvent.closed(3, .dismissed))")
    await stand.finish()
  }

  @Test func `A terminal that is not read blocks nothing and gets the newest frame`() async throws {
    let (user, program) = try End.terminal(columns: 200, rows: 50)
    let stand = try await stand(program)
    for id in 1...300 {
      await stand.on {
        $0.show(Popup(id: UInt32(id % 20), summary: "Number \(id) " + String(repeating: "x", count: 150)))
      }
    }
    await stand.on { $0.show(Popup(id: 1000, summary: "The last", expiry: .never)) }
    let text = try user.receive(through: "The last")
    #expect(text.contains("\u{1B}[?1049h"))
    await stand.finish()
  }

  @Test func `A terminal that is never read does not prevent the end`() async throws {
    let (user, program) = try End.terminal(columns: 200, rows: 50)
    let before = mode(of: program)
    let stand = try await stand(program)
    for id in 1...60 {
      await stand.on { $0.show(Popup(id: UInt32(id), summary: String(repeating: "漢", count: 500), expiry: .never)) }
    }
    await stand.finish()
    #expect(mode(of: program) == before)
    withExtendedLifetime(user) {}
  }

  @Test func `Closing the terminal ends the server`() async throws {
    var ends: (user: End, program: End)? = try End.terminal(columns: 40, rows: 12)
    let program = try #require(ends).program
    let stand = try await stand(program)
    var told = stand.told.makeAsyncIterator()
    ends = nil
    #expect(await told.next() == "end lost")
    await stand.finish()
  }

  // MARK: Pictures

  private static let asking = GraphicsSearch(.auto, in: { $0 == "TERM" ? "xterm" : nil })

  private static func image() throws -> PopupImage { .pixels(try PictureSamples.squares(40)) }

  @Test(arguments: [
    ("\u{1B}_Gi=\(KittyGraphics.question);OK\u{1B}\\\u{1B}[?62;c", "\u{1B}_Ga=p,"), ("\u{1B}[?62;4c", "\u{1B}P0;1;0q"),
  ])
  func `The terminal is asked, and draws the picture in its way`(answer: String, drawn: String) async throws {
    let (user, program) = try End.terminal(columns: 40, rows: 12)
    let stand = try await stand(program, graphics: Self.asking)
    let image = try Self.image()
    #expect(try user.receive(through: "\u{1B}[c").contains("a=q"))
    await stand.on {
      #expect($0.drawsPictures)
      $0.show(.tea, image)
    }
    #expect(try !user.receive(through: "Tea is ready").contains(drawn))
    user.send(answer)
    _ = try user.receive(through: drawn)
    await stand.on { $0.close(3) }
    _ = try user.receive(through: "No notifications.")
    await stand.finish()
    let end = try user.receive(through: "\u{1B}[?1049l")
    #expect(end.contains("\u{1B}_Ga=d,d=A,q=2\u{1B}\\\u{1B}[?2026l") == (drawn == "\u{1B}_Ga=p,"))
  }

  @Test(arguments: ["\u{1B}[?62;22c", "\u{1B}_Gi=\(KittyGraphics.question);ENODATA\u{1B}\\\u{1B}[?6c"])
  func `A terminal without pictures gets none, and the keys stay keys`(answer: String) async throws {
    let (user, program) = try End.terminal(columns: 40, rows: 12)
    let stand = try await stand(program, graphics: Self.asking)
    let image = try Self.image()
    var told = stand.told.makeAsyncIterator()
    _ = try user.receive(through: "\u{1B}[c")
    await stand.on { $0.show(.tea, image) }
    user.send(answer + "1")
    #expect(await told.next() == "\(PopupEvent.invoked(3, key: "done"))")
    await stand.on {
      #expect(!$0.drawsPictures)
      $0.show(.tea, image)
    }
    // The text begins at the left.
    let text = try user.receive(through: "It has drawn for")
    #expect(
      text.contains(#/║ (\x1B\[[0-9;]*m)*Tea is ready/#) && !text.contains("\u{1B}_Ga=p") && !text.contains("\u{1B}P"))
    await stand.finish()
  }

  @Test func `Without pictures nothing is asked`() async throws {
    let (user, program) = try End.terminal(columns: 40, rows: 12)
    let stand = try await stand(program)
    let image = try Self.image()
    await stand.on { $0.show(.tea, image) }
    let text = try user.receive(through: "Enter: Show")
    #expect(
      !text.contains("\u{1B}_G") && !text.contains("\u{1B}[c") && text.contains(#/║ (\x1B\[[0-9;]*m)*Tea is ready/#))
    await stand.finish()
  }

  @Test func `An answer after the limit does not count`() async throws {
    let (user, program) = try End.terminal(columns: 40, rows: 12)
    let stand = try await stand(program, graphics: Self.asking)
    let image = try Self.image()
    var told = stand.told.makeAsyncIterator()
    _ = try user.receive(through: "\u{1B}[c")
    // The limit is one second, and this popup ends after it.
    await stand.on { $0.show(.plain(1, .after(GraphicsSearch.limit + .milliseconds(50)))) }
    #expect(await told.next() == "\(PopupEvent.closed(1, .expired))")
    user.send("\u{1B}_Gi=\(KittyGraphics.question);OK\u{1B}\\\u{1B}[?62;4c")
    await stand.on { $0.show(.tea, image) }
    user.send("1")
    #expect(await told.next() == "\(PopupEvent.invoked(3, key: "done"))")
    await stand.on { #expect(!$0.drawsPictures) }
    await stand.finish()
    #expect(try !user.receive(through: "\u{1B}[?1049l").contains("\u{1B}_Ga=p"))
  }
}
