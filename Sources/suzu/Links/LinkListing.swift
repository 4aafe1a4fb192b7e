// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Links
internal import NotificationModel
internal import Triggers

/// `suzu link list`: the links, and what `suzu-link` has written of them.
struct LinkListing {
  private let folders: LinkFolders
  private let now: Int64

  init(_ folders: LinkFolders, now: Int64 = Int64(time(nil))) { (self.folders, self.now) = (folders, now) }

  /// A link, as far as it can be read.
  struct Row {
    let name: LinkName
    let link: LinkDefinition?
    let report: LinkReport
  }

  /// The links by name.
  var rows: [Row] {
    let isRunning = RunningLock.isHeld(folders)
    return folders.names().links.map { name in
      let state = LinkState.read(folders.state(of: name))
      do throws(LinkFileError) {
        let link = try folders.definition(of: name)
        return Row(name: name, link: link, report: LinkReport(state, of: link, isRunning: isRunning, now: now))
      } catch {
        return Row(name: name, link: nil, report: LinkReport(error, state))
      }
    }
  }

  func print(isJSON: Bool) {
    let rows = rows
    if isJSON { return Console.print("[" + rows.map { plain($0).json }.joined(separator: ",\n ") + "]") }
    guard !rows.isEmpty else {
      if Console.hasReader { Console.remark("no link is set up; see 'suzu link --help'") }
      return
    }
    let cells = rows.map { row in
      let last = row.report.state?.lastMessage.map { Distance.text($0 - now) } ?? "-"
      return [row.name.text, row.report.word, last, PrintableText.line(row.report.text, atMost: 500)]
    }
    let columns = [
      Table.Column("NAME", least: 8, rank: 0), Table.Column("STATE", least: 9, rank: 1),
      Table.Column("LAST MESSAGE", least: 12, rank: 3), Table.Column("REMARK", least: 20, fair: 40, rank: 2),
    ]
    Console.print(Table(columns, rows: cells, width: Console.columns).text(cells, .output))
  }

  private func plain(_ row: Row) -> PlainValue {
    var values: [String: PlainValue] = ["name": .text(row.name.text), "state": .text(row.report.word)]
    if let link = row.link {
      values["app"] = .text(link.app.text)
      values["server"] = .text(link.server.text)
      if !link.topic.isEmpty { values["topic"] = .text(link.topic) }
      values["vapid"] = link.vapid.map { .text($0) }
      values["send"] = link.send.map { .text($0) }
    }
    if !row.report.text.isEmpty { values["remark"] = .text(row.report.text) }
    if let state = row.report.state {
      values["since"] = .integer(state.since)
      values["count"] = .integer(state.count)
      values["distributor"] = state.distributor.map { .text($0) }
      values["endpoint"] = state.endpoint.map { .text($0) }
      values["p256dh"] = state.publicKey.map { .text($0) }
      if state.sent > 0 { values["sent"] = .integer(state.sent) }
      values["lastSent"] = state.lastSent.map { .integer($0) }
      values["lastMessage"] = state.lastMessage.map { .integer($0) }
      values["lastError"] = state.error.map { .text($0) }
      values["lastErrorDate"] = state.errorDate.map { .integer($0) }
      if !state.omissions.isEmpty {
        values["leftOut"] = .dictionary(
          Dictionary(uniqueKeysWithValues: state.omissions.map { ($0.key.rawValue, .integer($0.value)) }))
      }
    }
    return .dictionary(values)
  }
}
