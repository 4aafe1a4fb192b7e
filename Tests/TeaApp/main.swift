// SPDX-License-Identifier: Apache-2.0
import Foundation
import Suzu

// An app that the bus starts: it writes each response as a line to the file in the environment, and ends.
let app = try await Center.connect().app("org.example.Tea")
app.whenActivated { activation in
  write("\(activation.kind) \(activation.activationToken ?? "-")")
}
try await app.takeName()
try await app.handleResponses(untilIdle: .milliseconds(1)) { response in
  write("\(response.id) \(response.action) \(response.reply ?? "-") \(response.activationToken ?? "-")")
  if response.action == "fail" { await response.fail("no water") } else { await response.complete() }
}

func write(_ line: String) {
  guard let path = ProcessInfo.processInfo.environment["TEA_FILE"], let file = FileHandle(forWritingAtPath: path) else {
    return
  }
  _ = try? file.seekToEnd()
  try? file.write(contentsOf: Data((line + "\n").utf8))
}
