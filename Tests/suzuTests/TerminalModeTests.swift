// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import suzu

/// Tests that a terminal gets back the mode that it had.
@Suite(
  .enabled(if: End.canMakeTerminals, "no pseudo-terminals here: is /dev/pts mounted, as in a chroot it may not be?"))
struct TerminalModeTests {
  private func flags(of end: End) -> (input: UInt32, local: UInt32) {
    var mode = termios()
    tcgetattr(end.descriptor, &mode)
    return (mode.c_iflag, mode.c_lflag)
  }

  private func typedAhead(in end: End) -> Bool {
    var entry = pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  @Test(arguments: [TerminalMode.Change.raw, .quiet])
  func `Changes are undone together, also at the end`(change: TerminalMode.Change) throws {
    let (user, program) = try End.terminal(columns: 40, rows: 12)
    let usual = flags(of: program)
    do {
      let mode = TerminalMode(of: program.descriptor)
      #expect(!mode.isChanged && mode.change(to: change) && mode.isChanged)
      let changed = flags(of: program)
      #expect(changed.local & UInt32(ICANON | ECHO) == 0)
      #expect((changed.local & UInt32(ISIG) == 0) == (change == .raw))
      #expect(mode.change(to: .quiet))
      mode.restore()
      #expect(flags(of: program) == usual && !mode.isChanged)
      #expect(mode.change(to: change))
    }
    #expect(flags(of: program) == usual)
    withExtendedLifetime(user) {}
  }

  @Test func `What was typed stays, unless it is dropped with the mode`() throws {
    let (user, program) = try End.terminal(columns: 40, rows: 12)
    let mode = TerminalMode(of: program.descriptor)
    for drops in [false, true] {
      mode.change(to: .raw)
      user.send("x")
      #expect(typedAhead(in: program))
      mode.restore(droppingTyped: drops)
      mode.change(to: .raw)
      #expect(typedAhead(in: program) == !drops)
      mode.restore()
    }
  }

  @Test func `A pipe has no mode`() throws {
    let (reading, writing) = try End.pipe()
    let mode = TerminalMode(of: reading.descriptor)
    #expect(!mode.isThere && !mode.change(to: .raw) && !mode.isChanged)
    withExtendedLifetime(writing) {}
  }
}
