// SPDX-License-Identifier: Apache-2.0
internal import Calendars
internal import EventLoop
internal import NotificationModel
internal import SystemFiles

/// What a calendar said when it was last read.
///
/// An alarm that the calendar has not changed since is not scheduled again: so what the user cancelled stays away, and
/// what has been shown as well.
struct KnownAlarms: Equatable {
  /// The name of a request.
  struct Key: Hashable {
    let app: Identifier
    let id: Identifier

    init(app: String, id: String) { (self.app, self.id) = (Identifier(app), Identifier(id)) }
    init(_ entry: CalendarReport.Entry) { self.init(app: entry.app, id: entry.id) }
  }

  /// One file of the calendar.
  struct File: Equatable {
    /// Tells whether the file has changed.
    var stamp: String
    /// Whether it has to be read after a restart, because there are warnings about it.
    var isRead = true
    var alarms: [Key: CalendarMark]
  }

  /// By name in the folder; a calendar of one file has the name ``single``.
  var files: [String: File] = [:]
  /// The alarms that were not pending any more when they left the calendar. A program that writes all files again, or a
  /// folder that returns, does not bring them back.
  var absent: [Key: CalendarMark] = [:]

  /// The name of the only file; no file in a folder has it.
  static let single = "."
  /// The number of absent alarms that are kept.
  static let mostAbsent = 1000

  /// How many requests there are.
  var count: Int { files.values.reduce(0) { $0 + $1.alarms.count } }

  /// The marks of all files.
  func marks(_ slices: inout EventLoop.Slices) async -> [Key: CalendarMark] { await marks({ _ in true }, &slices) }

  /// The marks of some files. If several have a request, any of them counts.
  private func marks(
    _ isWanted: (String) -> Bool, _ slices: inout EventLoop.Slices
  ) async -> [Key: CalendarMark] {
    var marks: [Key: CalendarMark] = [:]
    for (name, file) in files where isWanted(name) {
      for (key, mark) in file.alarms {
        await slices.pause()
        if marks[key] == nil { marks[key] = mark }
      }
    }
    return marks
  }

  /// What has to be done after some files were read and some are gone.
  func changes(
    read: [String: CalendarReport], gone: Set<String>, _ slices: inout EventLoop.Slices
  ) async -> Changes {
    let left = gone.union(read.keys)
    let elsewhere = await marks({ !left.contains($0) }, &slices)
    let before = await marks(left.contains, &slices)
    var (changes, seen) = (Changes(), Set<Key>())
    for (name, report) in read.sorted(by: { $0.key < $1.key }) {
      for entry in report.entries {
        await slices.pause()
        let key = Key(entry)
        guard seen.insert(key).inserted, elsewhere[key] == nil else { continue }
        let known = before[key] ?? absent[key]
        if known == entry.mark { continue }
        if entry.isPast {
          if let known, known.when != entry.mark.when { changes.past[key] = entry.mark }
          continue
        }
        changes.wanted.append(
          Changes.Wanted(file: name, entry: entry, mustBePending: known?.when == entry.mark.when))
      }
    }
    for (key, mark) in before {
      await slices.pause()
      if !seen.contains(key) && elsewhere[key] == nil { changes.gone[key] = mark }
    }
    return changes
  }

  /// Takes the new state of some files.
  mutating func take(_ name: String, _ report: CalendarReport, stamp: String) {
    var alarms: [Key: CalendarMark] = [:]
    for entry in report.entries { alarms[Key(entry)] = entry.mark }
    for key in alarms.keys { absent[key] = nil }
    files[name] = File(stamp: stamp, isRead: report.warnings.isEmpty, alarms: alarms)
  }
}

extension KnownAlarms {
  /// What has changed in a calendar.
  struct Changes {
    /// A request to store.
    struct Wanted {
      /// The file that it is from.
      let file: String
      let entry: CalendarReport.Entry
      /// Its times are the same. If it is not pending any more, it was shown or cancelled, and a new text does not
      /// bring it back.
      let mustBePending: Bool
    }

    /// New and changed requests with a date to come, in the order of the files.
    var wanted: [Wanted] = []
    /// Requests that were moved into the past.
    var past: [Key: CalendarMark] = [:]
    /// Requests that the calendar does not have any more.
    var gone: [Key: CalendarMark] = [:]
  }
}

// MARK: - Text

extension KnownAlarms {
  /// The lines of a file in the store: its stamp, then a line for each request.
  static func text(_ file: File, _ slices: inout EventLoop.Slices) async -> String {
    (file.isRead ? file.stamp : "") + "\n" + (await text(file.alarms, &slices))
  }

  /// A line for each request.
  static func text(_ alarms: [Key: CalendarMark], _ slices: inout EventLoop.Slices) async -> String {
    var text = ""
    for (key, mark) in alarms {
      await slices.pause()
      text += "\(PercentCoding.encoded(key.app.text)) \(PercentCoding.encoded(key.id.text)) "
      text += "\(String(mark.when, radix: 16)) \(String(mark.what, radix: 16))\n"
    }
    return text
  }

  /// Reads one of the lines; nil if it is damaged.
  static func alarm(_ line: Substring) -> (Key, CalendarMark)? {
    let parts = line.split(separator: " ")
    guard parts.count == 4, let app = PercentCoding.decodedText(parts[0]), let id = PercentCoding.decodedText(parts[1]),
      let when = UInt64(parts[2], radix: 16), let what = UInt64(parts[3], radix: 16)
    else { return nil }
    return (Key(app: app, id: id), CalendarMark(when: when, what: what))
  }
}
