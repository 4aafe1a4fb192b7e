// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import SystemFiles
internal import Triggers
internal import Zoneinfo

/// What one calendar file says, as lines of text.
///
/// The center does not read calendars itself. They come from other people, are long, and need a large library in C: a
/// process of its own reads them, tells the center in this form, and ends.
package struct CalendarReport: Equatable {
  /// A request for an alarm.
  package struct Entry: Equatable {
    /// The app and the id, unique together.
    package let app, id: String
    /// What it is compared by.
    package let mark: CalendarMark
    /// Whether all its dates have passed.
    package let isPast: Bool
    /// The request as JSON.
    package let json: String
  }

  /// The requests; empty if there is a problem.
  package private(set) var entries: [Entry] = []
  /// Alarms that were skipped, one line each.
  package private(set) var warnings: [String] = []
  /// Why the file cannot be read; nil if it can.
  package private(set) var problem: String?
  /// Whether the problem concerns all calendars: libical is missing.
  package private(set) var isGeneral = false

  /// The report about a file that could not be read.
  package init(problem: String) { self.problem = problem }

  private init() {}

  // MARK: Lines

  private enum Word: String { case request, past, warning, problem, general, end }

  /// The lines; the last one is complete only if all others are.
  package var text: String {
    var text = ""
    for entry in entries {
      text += "\(entry.isPast ? Word.past : .request) \(PercentCoding.encoded(entry.app)) "
      text += "\(PercentCoding.encoded(entry.id)) \(String(entry.mark.when, radix: 16)) "
      text += "\(String(entry.mark.what, radix: 16)) \(entry.json)\n"
    }
    for warning in warnings { text += "\(Word.warning) \(PercentCoding.encoded(warning))\n" }
    if let problem { text += "\(isGeneral ? Word.general : .problem) \(PercentCoding.encoded(problem))\n" }
    return text + "\(Word.end)\n"
  }

  /// Reads reports line by line.
  package struct Reading {
    private var report = CalendarReport()

    /// Begins with the first file.
    package init() {}

    /// Takes the next line; returns the report that it completes. Nonsense is ignored.
    package mutating func take(_ line: Substring) -> CalendarReport? {
      let parts = line.split(separator: " ", maxSplits: 1)
      let rest = parts.count > 1 ? parts[1] : ""
      switch parts.first.flatMap({ Word(rawValue: String($0)) }) {
      case .request: report.addEntry(rest, isPast: false)
      case .past: report.addEntry(rest, isPast: true)
      case .warning: if let text = PercentCoding.decodedText(rest) { report.warnings.append(text) }
      case .problem: report.problem = PercentCoding.decodedText(rest) ?? "cannot be read"
      case .general: (report.problem, report.isGeneral) = (PercentCoding.decodedText(rest) ?? "cannot be read", true)
      case .end:
        defer { report = CalendarReport() }
        return report
      case nil: break
      }
      return nil
    }
  }

  private mutating func addEntry(_ text: Substring, isPast: Bool) {
    let parts = text.split(separator: " ", maxSplits: 4)
    guard parts.count == 5, let app = PercentCoding.decodedText(parts[0]), let id = PercentCoding.decodedText(parts[1]),
      let when = UInt64(parts[2], radix: 16), let what = UInt64(parts[3], radix: 16)
    else { return }
    entries.append(
      Entry(
        app: app, id: id, mark: CalendarMark(when: when, what: what), isPast: isPast, json: String(parts[4])))
  }
}

// MARK: - Reading a file

/// Reads calendar files, and reports what they say.
package struct CalendarReporter {
  private let library: ICalLibrary?
  private let missing: String?
  private let app: String
  private let skips: Bool
  private let trusts: Bool
  private let now: Instant
  private let zones = ZoneCache()

  /// Longer files are refused.
  package static let longestFile = 32 << 20
  /// Files with more alarms are refused.
  package static let mostAlarms = 20_000

  /// - Parameters:
  ///   - skips: whether to leave out alarms that a request cannot express.
  ///   - trusts: whether a calendar that Suzu wrote may name programs and other apps.
  package init(app: String, skips: Bool, trusts: Bool, now: Int64) {
    do throws(ICalLibrary.Missing) { (library, missing) = (try ICalLibrary(), nil) } catch {
      (library, missing) = (nil, error.reason)
    }
    (self.app, self.skips, self.trusts) = (app, skips, trusts)
    self.now = Instant(now)
  }

  /// The report about a file.
  package func report(on path: String) -> CalendarReport {
    guard let library else { return CalendarReport(general: missing ?? "libical is missing") }
    let bytes: [UInt8]
    do throws(FileError) { bytes = try RegularFile.read(path, limit: Self.longestFile) } catch {
      return CalendarReport(problem: "\(path): \(error)")
    }
    // A program that writes in place empties the file first.
    guard !bytes.isEmpty else { return CalendarReport(problem: "\(path): the file is empty") }
    do throws(CalendarError) {
      return try read(bytes, path, library)
    } catch {
      // A column of a picture or a letter would not help.
      guard CalendarComponent.recognizes(bytes) else {
        return CalendarReport(problem: "\(path): not an iCalendar file, which begins with BEGIN:VCALENDAR")
      }
      let hint = error.canBeSkipped ? "; follow it with --skip to skip it" : ""
      return CalendarReport(problem: "\(path), line \(error.line), column \(error.column): \(error.problem)\(hint)")
    }
  }

  private func read(_ bytes: [UInt8], _ path: String, _ library: ICalLibrary) throws(CalendarError) -> CalendarReport {
    let local = (try? SystemZone.current.read().zone.rules) ?? .utc
    let read = try CalendarReader(
      bytes, library: library, app: app, skips: skips, trusts: trusts, local: local, zones: zones)
    guard read.reminders.count <= Self.mostAlarms else {
      return CalendarReport(problem: "\(path): \(read.reminders.count) alarms; at most \(Self.mostAlarms) are taken")
    }
    var report = CalendarReport(warnings: read.warnings.map { "\(path), \($0)" })
    for var reminder in read.reminders {
      // A calendar from another person must not stand in for other apps.
      if !trusts { reminder.words["app"] = .text(app) }
      let checked: NotificationRequest
      do throws(RequestError) { checked = try NotificationRequest(reminder.words) } catch {
        throw CalendarError(line: reminder.line, "\(error)")
      }
      guard let id = checked.id else { continue }
      report.add(reminder.words, checked.app.text, id.text, isPast: try isPast(checked, reminder.line, local))
    }
    return report
  }

  private func isPast(
    _ request: NotificationRequest, _ line: Int, _ local: ZoneRules
  ) throws(CalendarError) -> Bool {
    do throws(TriggerError) {
      if request.schedule.isNow { return false }
      _ = try request.schedule.trigger(made: now) { name throws(TriggerError) in
        guard let name else { return local }
        if let rules = zones.rules(name) { return rules }
        do throws(ZoneError) { return try ZoneDatabase.system.zone(named: name).rules } catch {
          throw TriggerError(error)
        }
      }
      return false
    } catch {
      if error.code == .inThePast { return true }
      throw CalendarError(line: line, "\(error)")
    }
  }
}

extension CalendarReport {
  fileprivate init(general problem: String) {
    self.init(problem: problem)
    isGeneral = true
  }

  fileprivate init(warnings: [String]) { self.warnings = warnings }

  fileprivate mutating func add(_ words: [String: PlainValue], _ app: String, _ id: String, isPast: Bool) {
    entries.append(
      Entry(
        app: app, id: id, mark: CalendarMark(words), isPast: isPast, json: PlainValue.dictionary(words).json))
  }
}
