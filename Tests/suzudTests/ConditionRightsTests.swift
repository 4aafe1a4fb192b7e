// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import suzud

/// Tests which conditions a sandboxed program may wait for.
@Suite struct ConditionRightsTests {
  private static let app = "org.example.App"

  /// The message of the refusal; nil if the request is accepted.
  private func refusal(_ rights: Rights, _ line: String) throws -> String? {
    let request = try NotificationRequest(app: AppID(Self.app), title: "a", schedule: .on(Condition(line)))
    do {
      try rights.check(request)
      return nil
    } catch {
      #expect(error.code == .accessDenied)
      return error.message
    }
  }

  @Test(arguments: [
    ("place office", "'on': the names of places are not for sandboxed programs"),
    ("file /etc/passwd", "'on': conditions on files are not for sandboxed programs"),
    ("file /etc/passwd changes", "'on': conditions on files are not for sandboxed programs"),
    ("device A=b", "'on': conditions on devices are not for sandboxed programs"),
    ("unit a.service failed", "'on': conditions on units are not for sandboxed programs"),
    ("system signal a.b.C from org.example.App", "'on': signals of the system bus are not for sandboxed programs"),
    ("signal a.b.C", "'on': signals of other programs are not for sandboxed programs"),
    ("signal a.b.C from org.example.Apple", "'on': signals of other programs are not for sandboxed programs"),
  ])
  func `A sandboxed program learns nothing that its sandbox keeps from it`(_ line: String, _ message: String) throws {
    #expect(try refusal(.of(app: Self.app), line) == message)
    #expect(try refusal(.all, line) == nil)
  }

  @Test(arguments: [
    "wifi Home", "leave network VPN", "place 52.52,13.405 200m", "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E",
    "battery < 20%", "power", "unlocked", "idle 10m", "awake", "signal a.b.C from org.example.App",
    "signal a.b.C from org.example.App.Helper",
  ])
  func `Other conditions are for every program`(_ line: String) throws {
    #expect(try refusal(.of(app: Self.app), line) == nil)
  }
}
