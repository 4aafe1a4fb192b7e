// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests alarms that one command each sets up.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct AlarmTests {
  @Test func `An alarm on three weekdays is one command, and survives the end of the center`() throws {
    let session = try Session(variables: ["TZ": "Europe/London"])
    let asked = try session.suzu(
      "notify", "Get up", "--id", "alarm", "--every", "Mon,Tue,Thu 07:30", "--style", "alert", "--action", "ok=OK")
    #expect(asked.status == 0, "\(asked.errors)")
    #expect(asked.output == "alarm\n")
    let center = try #require(try session.process(of: "dev.suzu.Center"))
    let before = try list(session)
    let monitor = try RunningProgram(
      "gdbus", ["monitor", "--session", "--dest", "dev.suzu.Center"], environment: session.environment)
    #expect(monitor.readLines(until: "is owned by") != nil)
    #expect(kill(center, SIGKILL) == 0)
    #expect(monitor.readLines(until: "does not have an owner") != nil)
    // The bus starts another center, which knows every acknowledged request.
    let after = try list(session)
    #expect(after == before)
    #expect(try session.process(of: "dev.suzu.Center") != center)
    let next = try #require(after.first?["next"])
    #expect(next.contains("T07:30:00"))
    #expect(try next == Self.nextBySystemd("Mon,Tue,Thu 07:30", in: session))
    #expect(try session.suzu("cancel", "alarm").status == 0)
    #expect(try list(session).isEmpty)
  }

  @Test func `Every fifteen minutes, six times, is one command`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "Stretch", "--every", "15m", "--count", "6", "--id", "s").status == 0)
    let dates = try session.run(
      "gdbus", "call", "--session", "--dest", "dev.suzu.Center", "--object-path", "/dev/suzu/Center", "--method",
      "dev.suzu.Center1.Next", "{'every': <'15m'>, 'count': <6>}", "10")
    #expect(dates.status == 0, "\(dates.errors)")
    let seconds = dates.output.split { !$0.isNumber }.compactMap { Int($0) }.filter { $0 > 1_000_000 }
    #expect(seconds.count == 6)
    #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $1 - $0 == 900 })
  }

  @Test func `A delayed request is shown, and a date in the past is refused`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    #expect(try session.suzu("notify", "Tea", "--in", "300ms").status == 0)
    #expect(popups.readLine() == "#1 Tea")
    let refused = try session.suzu("notify", "Late", "--at", "2020-01-01 07:30")
    #expect(refused.status == 65)
    #expect(refused.output == "")
    #expect(refused.errors.hasPrefix("suzu: notify: '--at'"), "\(refused.errors)")
  }

  private func list(_ session: Session) throws -> [[String: String]] {
    let listed = try session.suzu("list", "--json")
    #expect(listed.status == 0, "\(listed.errors)")
    let rows = try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]]
    return try #require(rows).map { $0.compactMapValues { $0 as? String } }
  }

  /// The date that systemd computes, in the format of the listings.
  private static func nextBySystemd(_ expression: String, in session: Session) throws -> String {
    let answer = try session.run("systemd-analyze", "calendar", expression)
    let line = try #require(answer.output.split(separator: "\n").first { $0.contains("Next elapse") })
    let words = line.split(separator: " ")
    let date = try #require(words.first { $0.count == 10 && $0.contains("-") })
    let reader = DateFormatter()
    reader.locale = Locale(identifier: "en_US_POSIX")
    reader.timeZone = TimeZone(identifier: "Europe/London")
    reader.dateFormat = "yyyy-MM-dd HH:mm:ss"
    let moment = try #require(reader.date(from: "\(date) 07:30:00"))
    reader.dateFormat = "yyyy-MM-dd'T'HH:mm:ssxxx"
    return reader.string(from: moment)
  }
}
