// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A program that writes calendars, a calendar in its format, and how it writes files.
///
/// The files in `Tests/Fixtures/calendars` were written by the programs themselves (khal 0.10, calcurse 4.7, Evolution
/// 3.46, the library of KOrganizer 22.12, Radicale 3.1), or have the format of those that do not run on Debian.
struct CalendarMaker: CustomStringConvertible {
  enum Manner {
    /// A new file is renamed over the old one.
    case replaced
    /// The old file is emptied and filled, as by `program >calendar.ics`.
    case inPlace
    /// A link to a temporary file, whose name is removed; a rename for an existing file.
    case linked
    /// A file without a name, linked while it is open; a rename for an existing file.
    case withoutName
  }

  /// The name of the file, or of the folder, with the calendar.
  let name: String
  let manner: Manner
  let alarms: [String]
  /// How an event is moved, and the alarms after it.
  let change: (from: String, to: String)
  let moved: [String]
  /// The title of an event that is then removed, and the alarms that are left.
  let removed: String
  let left: [String]

  var isFolder: Bool { !name.hasSuffix(".ics") }
  var description: String { name }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fixtures/calendars")

  /// The files by name.
  func files() throws -> [String: String] {
    let place = Self.folder.appending(path: name)
    guard isFolder else { return ["calendar.ics": try String(contentsOf: place, encoding: .utf8)] }
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
      files[name] = try String(contentsOf: place.appending(path: name), encoding: .utf8)
    }
    return files
  }

  /// A calendar without the event or task of a title.
  static func text(_ text: String, without title: String) throws -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard let line = lines.firstIndex(where: { $0.hasPrefix("SUMMARY") && $0.hasSuffix(":" + title) }),
      let start = lines[..<line].lastIndex(where: { ["BEGIN:VEVENT", "BEGIN:VTODO"].contains($0) }),
      let end = lines[line...].firstIndex(where: { ["END:VEVENT", "END:VTODO"].contains($0) })
    else { throw TestFailure("no event '\(title)'") }
    return (lines[..<start] + lines[(end + 1)...]).joined(separator: text.contains("\r\n") ? "\r\n" : "\n")
  }

  /// Saves a file as Qt's QSaveFile does: a file without a name gets one while it is open, which is temporary if there
  /// is such a file already.
  static func save(_ text: String, to path: String) throws {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    // O_TMPFILE, which Glibc's module leaves out.
    let file = open(folder, O_DIRECTORY | 0o20_000_000 | O_RDWR | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw TestFailure("open \(folder): \(errno)") }
    let bytes = Array(text.utf8)
    let target = access(path, F_OK) == 0 ? path + ".aBcDeF" : path
    let isLinked =
      write(file, bytes, bytes.count) == bytes.count
      && linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0
    close(file)
    guard isLinked, target == path || rename(target, path) == 0 else { throw TestFailure("save \(path): \(errno)") }
  }
}

// MARK: - The programs

extension CalendarMaker {
  static let all = desktop + servers

  private static let desktop = [
    CalendarMaker(
      name: "khal", manner: .linked,
      alarms: [
        "07-02 08:45 Stand-up meeting | Thu 2099-07-02 09:00/Room 4/Bring the figures",
        "12-23 00:00 Christmas Eve | Thu 2099-12-24",
      ],
      change: ("20990702T090000", "20990702T094500"),
      moved: [
        "07-02 09:30 Stand-up meeting | Thu 2099-07-02 09:45/Room 4/Bring the figures",
        "12-23 00:00 Christmas Eve | Thu 2099-12-24",
      ],
      removed: "Stand-up meeting", left: ["12-23 00:00 Christmas Eve | Thu 2099-12-24"]),
    // Without UIDs, and with '-P300S' for five minutes.
    CalendarMaker(
      name: "calcurse.ics", manner: .inPlace,
      alarms: ["07-02 08:55 Dentist | Thu 2099-07-02 09:00", "07-06 17:55 Choir | 18:00"],
      change: ("20990702T090000", "20990702T100000"),
      moved: ["07-02 09:55 Dentist | Thu 2099-07-02 10:00", "07-06 17:55 Choir | 18:00"],
      removed: "Choir", left: ["07-02 09:55 Dentist | Thu 2099-07-02 10:00"]),
    CalendarMaker(
      name: "evolution.ics", manner: .replaced,
      alarms: ["07-02 08:45 Rehearsal | Thu 2099-07-02 09:00/Hall 2", "07-31 09:00 Rent | tomorrow"],
      change: ("20990801\r\nDTEND;VALUE=DATE:20990802", "20990803\r\nDTEND;VALUE=DATE:20990804"),
      moved: ["07-02 08:45 Rehearsal | Thu 2099-07-02 09:00/Hall 2", "08-02 09:00 Rent | tomorrow"],
      removed: "Rehearsal", left: ["08-02 09:00 Rent | tomorrow"]),
    // With an alarm that is switched off, and one that would run a program.
    CalendarMaker(
      name: "korganizer.ics", manner: .withoutName,
      alarms: [
        "07-06 17:45 Chess club | 18:00/Library/Bring the clock", "07-31 11:00 Tax return | Fri 2099-07-31 12:00",
        "08-02 15:00 Holiday | Mon 2099-08-03",
      ],
      change: ("20990706T180000", "20990706T170000"),
      moved: [
        "07-06 16:45 Chess club | 17:00/Library/Bring the clock", "07-31 11:00 Tax return | Fri 2099-07-31 12:00",
        "08-02 15:00 Holiday | Mon 2099-08-03",
      ],
      removed: "Tax return",
      left: ["07-06 16:45 Chess club | 17:00/Library/Bring the clock", "08-02 15:00 Holiday | Mon 2099-08-03"]),
    // With a task that has a start, and an alarm before it is due.
    CalendarMaker(
      name: "thunderbird.ics", manner: .inPlace,
      alarms: [
        "07-01 19:00 Réunion de quartier | Thu 2099-07-02 19:00/Salle des fêtes",
        "07-21 16:00 Rendre les livres | Tue 2099-07-21 18:00",
      ],
      change: ("20990721T180000", "20990721T170000"),
      moved: [
        "07-01 19:00 Réunion de quartier | Thu 2099-07-02 19:00/Salle des fêtes",
        "07-21 15:00 Rendre les livres | Tue 2099-07-21 17:00",
      ],
      removed: "Réunion de quartier", left: ["07-21 15:00 Rendre les livres | Tue 2099-07-21 17:00"]),
    // With a reminder at its due time: one is in UTC, the other in a zone.
    CalendarMaker(
      name: "apple.ics", manner: .replaced,
      alarms: [
        "06-14 09:00 Emma’s birthday | tomorrow",
        "07-02 10:00 Zoo with the children | Thu 2099-07-02 11:00/Zoo/Hardenbergplatz 8, 10787 Berlin, Germany",
        "07-30 09:00 Call the landlord | ",
      ],
      change: ("20990730T070000Z", "20990730T060000Z"),
      moved: [
        "06-14 09:00 Emma’s birthday | tomorrow",
        "07-02 10:00 Zoo with the children | Thu 2099-07-02 11:00/Zoo/Hardenbergplatz 8, 10787 Berlin, Germany",
        "07-30 08:00 Call the landlord | Thu 2099-07-30 09:00",
      ],
      removed: "Zoo with the children",
      left: ["06-14 09:00 Emma’s birthday | tomorrow", "07-30 08:00 Call the landlord | Thu 2099-07-30 09:00"]),
    // With zones of Windows, and a UID of 200 bytes. The list has the date of a zone in that zone.
    CalendarMaker(
      name: "outlook.ics", manner: .inPlace,
      alarms: [
        "07-02 08:45 Quarterly review | Thu 2099-07-02 09:00/Meeting room 2/Agenda:/1. Figures/2. Plans",
        "07-15 08:45 Call with New York | Wed 2099-07-15 15:00 (09:00 America/New_York)",
      ],
      change: ("20990702T090000\r\nLAST", "20990702T093000\r\nLAST"),
      moved: [
        "07-02 09:15 Quarterly review | Thu 2099-07-02 09:30/Meeting room 2/Agenda:/1. Figures/2. Plans",
        "07-15 08:45 Call with New York | Wed 2099-07-15 15:00 (09:00 America/New_York)",
      ],
      removed: "Quarterly review",
      left: ["07-15 08:45 Call with New York | Wed 2099-07-15 15:00 (09:00 America/New_York)"]),
  ]

  private static let servers = [
    // An item that Thunderbird has put there.
    CalendarMaker(
      name: "radicale", manner: .replaced,
      alarms: ["07-01 19:00 Parents' evening | Thu 2099-07-02 19:00/School, room 12"],
      change: ("20990702T190000", "20990702T180000"),
      moved: ["07-01 18:00 Parents' evening | Thu 2099-07-02 18:00/School, room 12"],
      removed: "Parents' evening", left: []),
    // Takeout, or the secret address, fetched again. One occurrence was moved.
    CalendarMaker(
      name: "google.ics", manner: .inPlace,
      alarms: [
        "07-02 08:30 Breakfast with Anna | Thu 2099-07-02 09:00/Café Anna, Hauptstr. 5, 10827 Berlin",
        "07-14 16:30 Yoga, on Tuesday | Tue 2099-07-14 17:00", "07-20 17:30 Yoga | 18:00",
      ],
      change: ("20990714T170000", "20990714T160000"),
      moved: [
        "07-02 08:30 Breakfast with Anna | Thu 2099-07-02 09:00/Café Anna, Hauptstr. 5, 10827 Berlin",
        "07-14 15:30 Yoga, on Tuesday | Tue 2099-07-14 16:00", "07-20 17:30 Yoga | 18:00",
      ],
      removed: "Breakfast with Anna",
      left: ["07-14 15:30 Yoga, on Tuesday | Tue 2099-07-14 16:00", "07-20 17:30 Yoga | 18:00"]),
    // The changed occurrence is taken back.
    CalendarMaker(
      name: "exchange.ics", manner: .inPlace,
      alarms: [
        "07-13 13:45 Team meeting (later) | Mon 2099-07-13 14:00",
        "07-20 08:45 Team meeting | 09:00/Microsoft Teams Meeting",
      ],
      change: ("20990713T140000", "20990713T150000"),
      moved: [
        "07-13 14:45 Team meeting (later) | Mon 2099-07-13 15:00",
        "07-20 08:45 Team meeting | 09:00/Microsoft Teams Meeting",
      ],
      removed: "Team meeting (later)", left: ["07-13 08:45 Team meeting | 09:00/Microsoft Teams Meeting"]),
    CalendarMaker(
      name: "nextcloud.ics", manner: .replaced,
      alarms: [
        "07-02 16:20 Pick up the bike | Thu 2099-07-02 16:30", "07-31 11:30 Water the plants | Fri 2099-07-31 12:00",
        "08-09 00:00 🎂 Ada Example (1990) | tomorrow",
      ],
      change: ("20990731T120000", "20990731T130000"),
      moved: [
        "07-02 16:20 Pick up the bike | Thu 2099-07-02 16:30", "07-31 12:30 Water the plants | Fri 2099-07-31 13:00",
        "08-09 00:00 🎂 Ada Example (1990) | tomorrow",
      ],
      removed: "Pick up the bike",
      left: [
        "07-31 12:30 Water the plants | Fri 2099-07-31 13:00", "08-09 00:00 🎂 Ada Example (1990) | tomorrow",
      ]),
    CalendarMaker(
      name: "proton.ics", manner: .replaced,
      alarms: ["07-02 20:30 Night train | Thu 2099-07-02 22:30", "08-08 09:00 Day off | Mon 2099-08-10"],
      change: ("20990702T223000", "20990702T213000"),
      moved: ["07-02 19:30 Night train | Thu 2099-07-02 21:30", "08-08 09:00 Day off | Mon 2099-08-10"],
      removed: "Night train", left: ["08-08 09:00 Day off | Mon 2099-08-10"]),
  ]
}
