// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Checks how long notifications stay.
extension Check {
  static let expiry = Check(
    "expiry", "a notification with an expiry time leaves the screen", isSlow: true, \.expiry
  ) {
    desktop in
    try desktop.show("Gone soon", "--id", "soon", "--expires", desktop.server.expected.expires)
    try demand(try desktop.closing(of: "soon", within: 15), is: "expired", "why it left the screen")
    try desktop.awaitAbsence(of: "Gone soon", within: 15)
    return ""
  }

  static let staying = Check(
    "alert stays", "an alert is still there when a banner has expired", isSlow: true, \.staying
  ) {
    desktop in
    try desktop.show("Alert", "--id", "alert", "--style", "alert")
    if desktop.server.expected.showsOne {
      // Later notifications wait, so a scheduled one measures the time instead.
      try desktop.post("Clock", ["--id", "clock", "--in", "11s"])
      _ = try desktop.event("clock", within: 20) { $0.event == "delivered" && $0.id == "clock" }
    } else {
      // Without an explicit time the server decides.
      try desktop.show("Banner", "--id", "banner")
      try desktop.awaitAbsence(of: "Banner", within: 30)
    }
    let popup = try desktop.popup("Alert")
    try desktop.server.dismiss(popup, on: desktop)
    try demand(try desktop.closing(of: "alert"), is: "dismissed", "why it left the screen")
    return ""
  }

  static let critical = Check(
    "critical", "a critical notification with an expiry time expires, too", \.critical
  ) {
    desktop in
    try desktop.show(
      "Fire", "--id", "fire", "--level", "critical", "--expires", desktop.server.expected.expires)
    try demand(try desktop.closing(of: "fire", within: 15), is: "expired", "why it left the screen")
    try desktop.awaitAbsence(of: "Fire", within: 15)
    return "expires"
  }
}
