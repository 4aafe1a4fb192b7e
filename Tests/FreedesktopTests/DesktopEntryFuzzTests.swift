// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

/// Tests randomly damaged entries: none may crash the parser, and parsed ones must be consistent.
@Suite(.timeLimit(.minutes(3))) struct DesktopEntryFuzzTests {
  /// A deterministic random generator (xorshift).
  struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  static let seeds = [
    "[Desktop Entry]\nType=Application\nName=Tea\nName[de_DE.UTF-8@x]=Tee\nExec=tea --url=%u \"a b\" %i\nIcon=tea\n",
    "[Desktop Entry]\nType=Application\nExec=sh -c \"echo \\\\\"\\\\$*\\\\\"\" sh %F\nMimeType=x-scheme-handler/c;\n",
    "# c\n[Desktop Entry]\r\nType=Application\r\nActions=a;b;\r\nTerminal=1\n[Desktop Action a]\nName=A\nExec=a '%k'\n",
    "[Desktop Entry]\nType=Link\nHidden=true\nOnlyShowIn=GNOME;\nPath=/a\\sb\\\\c\\\nTryExec=x\n[Other]\nExec=%\n",
  ]
  static let pieces: [[UInt8]] = [
    [0], [0xFF], [0xC3], [0xEF, 0xBB, 0xBF], [0x0A], [0x0D], [0x5C], [0x25], [0x22], [0x27], [0x3B], [0x5B], [0x5D],
    [0x3D], [0x40], [0x2E], [0x5F], [0x20], Array("\nExec=".utf8), Array("%f%U".utf8), Array("[de@".utf8),
    Array("\n[Desktop Entry]\n".utf8), Array("\nActions=a;a;".utf8),
  ]

  static func mutate(_ seed: [UInt8], _ numbers: inout Numbers) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...3, using: &numbers) {
      let place = Int.random(in: 0...bytes.count, using: &numbers)
      switch Int.random(in: 0..<5, using: &numbers) {
      case 0: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &numbers)], at: place)
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...9, using: &numbers)))
      case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
      case 3: bytes.insert(contentsOf: bytes[..<place].suffix(20), at: place)
      default: bytes.append(contentsOf: bytes.suffix(Int.random(in: 0...30, using: &numbers)))
      }
    }
    return bytes
  }

  @Test func `Ten thousand damaged entries cause no crash`() throws {
    var numbers = Numbers(state: 0x5EED_0001)
    let languages = MessageLanguages(locales: ["de_DE@x"])
    let urls = ["https://a/$(b);c \"d\"", "file:///e%20f"]
    var (read, run, refused) = (0, 0, 0)
    for round in 0..<10_000 {
      let bytes = Self.mutate(Array(Self.seeds[round % Self.seeds.count].utf8), &numbers)
      do throws(DesktopEntryError) {
        let entry = try DesktopEntry(bytes, path: "/a")
        read += 1
        _ = (entry.name?.text(in: languages), entry.schemes, entry.isShown(in: ["GNOME"]))
        for exec in [entry.exec] + entry.actions.map(\.exec) {
          guard let exec else { continue }
          let line = try ExecLine(exec)
          let subject = ExecLine.Subject(icon: entry.icon?.plain, name: entry.name?.plain, path: entry.path)
          let bare = try line.commands(for: subject)
          #expect(bare.count == 1 && bare[0].first == line.program && !line.program.isEmpty)
          for opened in [[urls[0]], [urls[1]]] {
            for command in (try? line.commands(opening: opened, for: subject)) ?? [] {
              // A URL becomes at most one word, and never the program.
              #expect(command.count <= bare[0].count + 1 && command[0] == bare[0][0])
              #expect(command.allSatisfy { !$0.utf8.contains(0) })
            }
          }
          run += 1
        }
      } catch {
        #expect(!error.reason.isEmpty)
        refused += 1
      }
    }
    // Each outcome occurs often enough.
    #expect(read > 3000 && run > 1500 && refused > 1000, "\(read) \(run) \(refused)")
  }
}
