// SPDX-License-Identifier: Apache-2.0
internal import Calendars
internal import EventLoop
internal import NotificationModel

/// A followed calendar at work.
final class CalendarState {
  /// The calendar, as the user follows it.
  private(set) var calendar: FollowedCalendar
  var known = KnownAlarms()
  /// What is wrong with the whole calendar, or why changes are not carried out.
  var trouble: String?
  /// The folders whose entries it consists of.
  private(set) var folders: [String] = []
  /// The folders in it that cannot be read.
  var obstacles: [String] = []
  /// What is wrong with files, or was left out of them.
  private(set) var notes: [String: Note] = [:]
  /// The files that have changed by their names; they are read even if their stamps are the same, because two changes
  /// may come within one tick of the clock.
  private var named: Set<String> = []
  private var readsAll = false
  /// When it will be looked at.
  var deadline: EventLoop.Deadline?
  /// Whether that is another attempt after an error of the store.
  var isRetrying = false
  /// Whether it waits for its turn: what changes until then is read at once.
  var isQueued = false
  var hasEnded = false

  /// The warnings about a file, or its problem and the stamp that it had then.
  struct Note {
    var stamp: String?
    var lines: [String]
  }

  private static let mostProblems = 20

  init(_ calendar: FollowedCalendar) { self.calendar = calendar }

  func findFolders() { folders = CalendarFiles.folders(of: calendar.path) }

  /// The names of the files to read.
  func unread(_ stamps: [String: String]) -> [String] {
    defer { (named, readsAll) = ([], false) }
    return stamps.filter { name, stamp in
      readsAll || named.contains(name) || stamp != (notes[name]?.stamp ?? known.files[name]?.stamp)
    }.keys.sorted()
  }

  func note(_ names: some Sequence<String>) { named.formUnion(names) }

  /// Follows it in another way: every file is read again.
  func follow(as calendar: FollowedCalendar) {
    self.calendar = calendar
    readsAll = true
  }

  /// After an error of the store, everything that was read is read again.
  func readAgain() { readsAll = true }

  func note(_ report: CalendarReport, on name: String, stamp: String) {
    if let problem = report.problem {
      notes[name] = Note(stamp: stamp, lines: [problem])
    } else {
      notes[name] = report.warnings.isEmpty ? nil : Note(stamp: nil, lines: report.warnings)
    }
  }

  func forgetNotes(about names: [String]) { for name in names { notes[name] = nil } }

  /// Why the only file cannot be read; nil for a folder.
  var problemOfSingleFile: String? {
    notes[KnownAlarms.single].flatMap { $0.stamp == nil ? nil : $0.lines.first }
  }

  /// What the user should know, one line each.
  var problems: [String] {
    var lines = (trouble.map { [$0] } ?? []) + obstacles
    lines += notes.sorted { $0.key < $1.key }.flatMap(\.value.lines)
    let more = lines.count - Self.mostProblems
    return more > 1 ? lines.prefix(Self.mostProblems) + ["\(calendar.path): \(more) more"] : lines
  }

  /// What callers get.
  var shown: FollowedCalendar {
    var shown = calendar
    shown.alarms = known.count
    shown.problems = problems.map { DisplayText.line($0) }
    return shown
  }
}
