// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests that the center's own questions end in every case, and can be asked again.
@Suite(.timeLimit(.minutes(2)))
struct QuestionTests {
  private static var brief: Timeouts {
    var timeouts = Timeouts()
    timeouts.pauses.first = .milliseconds(5)
    timeouts.pauses.longest = .milliseconds(20)
    return timeouts
  }

  enum Ending: CaseIterable {
    case cancelledInLine, refused, dismissed, serverEnded
  }

  @Test(arguments: Ending.allCases)
  func `A question without an answer ends without a decision, and is asked again`(ending: Ending) async throws {
    try await CenterStand.run(timeouts: Self.brief, burst: 1) { stand in
      let own: Value = .string(NotificationRequest.defaultApp)
      let answer = await stand.center.beginRegistering("box")
      let joined = await stand.center.beginRegistering("box")
      try await stand.settle()
      let first = try #require(await stand.center.questionIDs.first)
      if ending == .cancelledInLine {
        // There is no server: the question waits for one.
        #expect(try await stand.call("Cancel", [own, .strings([])]).first == .uint32(1))
      }
      let server = try await stand.server { _ in ending == .refused ? .refuse(.failed, "no") : .number }
      if ending != .cancelledInLine && ending != .refused {
        let question = try await server.posted.next()
        #expect(try await stand.next(1) == ["Delivered \(first)"])
        switch ending {
        case .dismissed: try await server.tellClosed(question.number, reason: 2)
        case .serverEnded: await server.die()
        default: break
        }
      }
      #expect(try await answer.value == [])
      #expect(try await joined.value == [])
      #expect(await stand.center.questionIDs == [])
      // Nothing is left that a later question would wait for.
      let again = await stand.center.beginRegistering("box")
      try await stand.settle()
      let second = await stand.center.questionIDs
      // A question that the user closed is not asked again on the same day.
      guard ending != .dismissed else {
        #expect(second.isEmpty)
        return #expect(try await again.value == [])
      }
      try #require(second.count == 1, "\(second)")
      #expect(second != [first])
      if ending != .serverEnded {
        await server.follow { _ in .number }
        _ = try await stand.events.next { $0 == "Delivered \(second[0])" }
        try await stand.call("Respond", [own, .string(second[0]), "0", .properties([:])])
        #expect(try await again.value == ["alert"])
      }
    }
  }
}

extension CenterService {
  /// Asks; ``CenterStand/settle()`` returns once the question is queued.
  func beginRegistering(_ app: String) -> Task<[String], any Error> {
    Task.immediate { NoticeKind.texts(try await register(app, [.alert], mustAsk: true)) }
  }

  var questionIDs: [String] { screenSide.questions.ids.sorted() }
}
