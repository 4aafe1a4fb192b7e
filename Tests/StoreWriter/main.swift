// SPDX-License-Identifier: Apache-2.0
// store-writer MODE FOLDER NUMBER: writes to a store and says on standard output what was acknowledged.
//
//   write FOLDER SEED      until it is killed: puts, replaces, removes and delivers, one line for each acknowledgement
//   live FOLDER SEED       until it is killed: all that a center does, `try ID=STATE …` before and `ok` after each commit
//   some FOLDER COUNT      COUNT single requests: `ok ID` or `no ID CODE`; ends with `end HEALTH`
//   refused FOLDER COUNT   the same, and nothing is tried again; ends with `end HEALTH PENDING`
//   migrate FOLDER STEP    takes a store to schema 102, and ends without warning before statement STEP
//   hold FOLDER COUNT      COUNT single requests, `open`, and then nothing until its input ends
//   put FOLDER COUNT       COUNT requests in one transaction:                 prints `put_us 3.1`, for each
//   fill FOLDER COUNT      the store is filled up to COUNT, and nothing is measured
//   history FOLDER COUNT   the same with notifications that have left the screen, every third answered
//   nags FOLDER COUNT      COUNT notifications that are shown again five seconds later, all at once

import Glibc
import Scheduling

guard CommandLine.arguments.count == 4, let number = Int(CommandLine.arguments[3]) else {
  say("usage: store-writer MODE FOLDER NUMBER")
  exit(64)
}
let folder = CommandLine.arguments[2]

do {
  switch CommandLine.arguments[1] {
  case "write":
    var writing = try Writing(folder: folder, seed: UInt64(number))
    try writing.run()
  case "live":
    var living = try Living(folder: folder, seed: UInt64(number))
    try living.run()
  case "some": try writeSome(folder: folder, count: number)
  case "refused": try writeRefused(folder: folder, count: number)
  case "migrate": try migrate(folder: folder, endingBefore: number)
  case "hold":
    let store = try Store(folder: folder, clock: wallClock)
    var requests = Requests(seed: 1)
    for number in 0..<number { try store.put([requests.make(app: "a", id: "\(number)")], now: 1) }
    say("open")
    while readLine() != nil {}
    store.close()
  case "put": try Measuring(folder: folder, count: number).put()
  case "fill": try Measuring(folder: folder, count: number).fill()
  case "history": try Measuring(folder: folder, count: number).fillHistory()
  case "nags": try Measuring(folder: folder, count: number).storeNags()
  default: exit(64)
  }
} catch {
  say("error \(error.code.rawValue) \(error)")
  exit(74)
}
