// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import Testing

@testable import suzud

/// Tests the center's errors on the bus.
@Suite
struct CenterErrorTests {
  @Test func `Each error has its own name on the bus, and keeps its text`() {
    let errors = RefusalCode.allCases.map { CenterError($0, "why").refusal }
    #expect(
      errors.map(\.name.text)
        == [
          "InvalidRequest", "InThePast", "UnknownCategory", "AccessDenied", "NotFound", "LimitExceeded", "Unavailable",
        ].map { "dev.suzu.Error." + $0 })
    #expect(errors.allSatisfy { $0.message == "why" })
  }

  @Test func `An error of one of several requests names its place`() {
    #expect(CenterError(.inThePast, "late").at(3) == CenterError(.inThePast, "[3]: late"))
    #expect(CenterError(.inThePast, "late").at(nil) == CenterError(.inThePast, "late"))
  }
}
