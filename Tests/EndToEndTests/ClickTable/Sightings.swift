// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport

/// An observation of a program in the session.
enum Sight: Sendable {
  /// The notification server received a `Notify`.
  case posted(ScriptedServer.Posted)
  /// A watcher received an event.
  case delivered(String)
  case responded(UInt64, id: String, action: String, reply: String?)
  case closed(String, reason: String)
  case outcome(UInt64, String)
  /// A handler received a response.
  case told(UInt64, id: String, action: String, reply: String?, handler: Handler)

  /// The events that a watcher receives.
  init?(_ signal: Signal) {
    let arguments = signal.arguments
    switch (signal.member, arguments.first) {
    case ("Delivered", _): self = .delivered(arguments[1].string ?? "")
    case ("Closed", _): self = .closed(arguments[1].string ?? "", reason: arguments[2].string ?? "")
    case ("Responded", .uint64(let number)):
      self = .responded(
        number, id: arguments[2].string ?? "", action: arguments[3].string ?? "",
        reply: arguments[4].properties?["reply"]?.string)
    case ("Outcome", .uint64(let number)): self = .outcome(number, arguments[1].string ?? "")
    default: return nil
    }
  }
}

/// The observations of each combination, by its id.
struct Sightings {
  struct Life {
    /// The number on the server's screen.
    var number: UInt32?
    var posts = 0
    /// How often the notification was shown again.
    var returns = 0
    var isDelivered = false
    var closings: [String] = []
    /// Whether the choice was made: later observations are its effects.
    var isChosen = false
    /// The number at the time of the choice.
    var chosen: UInt32?
    var responses: [(number: UInt64, action: String, reply: String?)] = []
    var outcomes: [String] = []
    var effects: [ClickSession.Effect] = []
    /// The numbers of the confirmation questions.
    var questions: [UInt32] = []
    var keys: [String] = []

    /// A restarted center reports once more what it waits for.
    var stages: [String] {
      outcomes.indices.filter { $0 == 0 || outcomes[$0] != outcomes[$0 - 1] }.map { outcomes[$0] }
    }
  }

  private(set) var lives: [String: Life] = [:]
  private var ids: [UInt64: String] = [:]

  subscript(id: String) -> Life { lives[id] ?? Life() }

  mutating func choose(_ id: String) {
    lives[id, default: Life()].isChosen = true
    lives[id, default: Life()].chosen = self[id].number
  }

  mutating func see(_ sight: Sight) {
    switch sight {
    case .posted(let posted) where posted.summary.hasSuffix("?"):
      lives[String(posted.summary.dropLast()), default: Life()].questions.append(posted.number)
    case .posted(let posted):
      var life = self[posted.summary]
      if posted.replaces == 0 {
        if life.isChosen { life.effects.append(Self.effect(.shown, posted.summary)) }
        life.posts += 1
      } else {
        life.returns += 1
      }
      (life.number, life.keys) = (posted.number, posted.keys)
      lives[posted.summary] = life
    case .delivered(let id): lives[id, default: Life()].isDelivered = true
    case .closed(let id, let reason): lives[id, default: Life()].closings.append(reason)
    case .responded(let number, let id, let action, let reply):
      ids[number] = id
      lives[id, default: Life()].responses.append((number, action, reply))
    case .outcome(let number, let outcome): lives[ids[number] ?? "unknown", default: Life()].outcomes.append(outcome)
    case .told(_, let id, let action, let reply, _):
      // The launched app also receives the response that it was launched for, which is done already.
      if launched.contains(id), self[id].outcomes.last == "done" {
        launched.remove(id)
      } else {
        lives[id, default: Life()].effects.append(Self.effect(.told, id, action, reply))
      }
    }
  }

  /// Responses whose apps are to be launched and have not received them.
  private var launched: Set<String> = []

  mutating func expectLaunch(for id: String) { launched.insert(id) }

  private static func effect(
    _ effect: Expectation.Effect, _ id: String, _ action: String = "", _ reply: String? = nil
  ) -> ClickSession.Effect {
    ClickSession.Effect(verb: effect.rawValue, id: id, action: action, reply: reply ?? "", token: "")
  }
}
