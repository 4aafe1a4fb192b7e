// SPDX-License-Identifier: Apache-2.0

/// The observations of a client, a notification server and the handlers, in one order, and the rules that they must
/// obey. Pure.
struct History {
  /// One observation of a client, a server or the test.
  enum Event: Hashable {
    /// The client is about to send a request; it may or may not be accepted.
    case tried(String)
    /// The call returned; the request is due no earlier than that, in milliseconds since 1970.
    case accepted(String, due: Int64)
    /// The client is about to cancel it.
    case cancelTried(String)
    /// The call returned, and counted it.
    case cancelled(String)
    /// It arrived at the notification server; `poster` is the center of that time.
    case posted(String, replaces: UInt32, poster: String, at: Int64)
    /// Since this point, that center is known to have recorded the delivery.
    case noted(String, by: String)
    /// That center ended without being asked to. Its messages may still be in flight.
    case killed(String)
    /// A line that a handler wrote.
    case acted(String)
  }

  /// The result of a click, as the center reports it.
  enum Outcome: Hashable {
    case done
    /// It was interrupted: it may or may not have had its effect.
    case interrupted
    case other(String)
  }

  /// The violations, with the ids concerned, and figures that are worth printing.
  struct Verdict: Hashable {
    /// Accepted, not cancelled, and never posted.
    var lost: Set<String> = []
    /// Posted twice, although the center was not killed between the post and its record.
    var doubled: Set<String> = []
    /// Posted twice because of such a kill.
    var excused = 0
    /// Posted after it was cancelled.
    var undead: Set<String> = []
    /// Posted too early.
    var early: Set<String> = []
    /// Posted without a request.
    var unasked: Set<String> = []
    /// Done more than once.
    var actedTwice: Set<String> = []
    /// Reported as done, but not done.
    var notActed: Set<String> = []
    /// Done without a click that the center knows of.
    var actedUnasked: Set<String> = []
    var accepted = 0
    var cancelled = 0
    var posts = 0
    var acted = 0
    var interrupted = 0

    var wrong: Set<String> {
      [doubled, undead, early, unasked, actedTwice, notActed, actedUnasked].reduce(lost) { $0.union($1) }
    }

    var isClean: Bool { wrong.isEmpty }
  }

  var events: [Event] = []
  /// The center's outcome of each click.
  var outcomes: [String: Outcome] = [:]

  func verdict() -> Verdict {
    var check = Check()
    for event in events { check.take(event) }
    return check.end(outcomes)
  }

  /// The observations of each id with a violation, one line each, in order.
  func story(of verdict: Verdict) -> String {
    let wrong = verdict.wrong
    let lines = wrong.sorted().prefix(5).map { id in
      let own = events.filter { $0.id == id }
      return "\(id): \(own.map { "\($0)" }.joined(separator: ", ")) \(outcomes[id].map { "\($0)" } ?? "")"
    }
    return "\(verdict)\n" + lines.joined(separator: "\n")
  }

  private struct Life {
    var due: Int64?
    var isTried = false
    var isCancelTried = false
    var isCancelled = false
    var lastPoster: String?
    var isNoted = false
    var acts = 0
  }

  private struct Check {
    var lives: [String: Life] = [:]
    var verdict = Verdict()
    var killed: Set<String> = []

    mutating func take(_ event: Event) {
      switch event {
      case .tried(let id): lives[id, default: Life()].isTried = true
      case .accepted(let id, let due):
        lives[id, default: Life()].due = due
        verdict.accepted += 1
      case .cancelTried(let id): lives[id, default: Life()].isCancelTried = true
      case .cancelled(let id):
        lives[id, default: Life()].isCancelled = true
        verdict.cancelled += 1
      case .posted(let id, let replaces, let poster, let at): post(id, replaces, poster, at)
      case .noted(let id, let poster):
        // If it has been posted again since, the record is too late to count.
        if lives[id]?.lastPoster == poster { lives[id]?.isNoted = true }
      case .killed(let poster): killed.insert(poster)
      case .acted(let id): lives[id, default: Life()].acts += 1
      }
    }

    private mutating func post(_ id: String, _ replaces: UInt32, _ poster: String, _ at: Int64) {
      var life = lives[id] ?? Life()
      verdict.posts += 1
      if !life.isTried { verdict.unasked.insert(id) }
      if life.isCancelled { verdict.undead.insert(id) }
      if let due = life.due, at < due { verdict.early.insert(id) }
      if replaces == 0, let last = life.lastPoster {
        if last != poster, killed.contains(last), !life.isNoted {
          verdict.excused += 1
        } else {
          verdict.doubled.insert(id)
        }
      }
      life.lastPoster = poster
      lives[id] = life
    }

    func end(_ outcomes: [String: Outcome]) -> Verdict {
      var verdict = verdict
      for (id, life) in lives {
        if life.due != nil, life.lastPoster == nil, !life.isCancelTried { verdict.lost.insert(id) }
        verdict.acted += life.acts
        if life.acts > 1 { verdict.actedTwice.insert(id) }
        if life.acts > 0, outcomes[id] == nil { verdict.actedUnasked.insert(id) }
      }
      for (id, outcome) in outcomes {
        switch outcome {
        case .done: if lives[id]?.acts ?? 0 == 0 { verdict.notActed.insert(id) }
        case .interrupted: verdict.interrupted += 1
        case .other: verdict.notActed.insert(id)
        }
      }
      return verdict
    }
  }
}

extension History.Event {
  /// The id concerned; nil means all.
  fileprivate var id: String? {
    switch self {
    case .tried(let id), .accepted(let id, _), .cancelTried(let id), .cancelled(let id), .posted(let id, _, _, _),
      .noted(let id, _), .acted(let id):
      id
    case .killed: nil
    }
  }
}
