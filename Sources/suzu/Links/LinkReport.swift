// SPDX-License-Identifier: Apache-2.0
internal import Links

/// How a link fares, in words.
struct LinkReport: Equatable {
  /// One word for its state.
  let word: String
  /// What is wrong, and what to do; empty if nothing is.
  let text: String
  /// Whether messages come.
  let isGood: Bool
  let state: LinkState?

  /// A link whose file cannot be used.
  init(_ error: LinkFileError, _ state: LinkState?) {
    (word, text, isGood, self.state) = ("invalid", error.description, false, state)
  }

  /// - Parameters:
  ///   - state: what suzu-link has written; nil if it has not run yet.
  ///   - now: in Unix seconds.
  init(_ state: LinkState?, of link: LinkDefinition, isRunning: Bool, now: Int64) {
    self.state = state
    guard isRunning else {
      (word, isGood) = ("stopped", false)
      text =
        LinkProgram.path == nil
        ? LinkProgram.missing : "suzu-link does not run; start it with: systemctl --user start suzu-link"
      return
    }
    guard let state else {
      (word, text, isGood) = ("starting", "", true)
      return
    }
    let problem = state.error ?? "no connection yet"
    let left = Self.omitted(state.omissions)
    if let error = state.sendError, [.connected, .ready].contains(state.phase) {
      (word, text, isGood) = (state.phase.rawValue, "cannot send: \(error)", false)
      return
    }
    switch state.phase {
    case .invalid, .refused: (word, text, isGood) = (state.phase.rawValue, problem, false)
    case .connecting, .waiting:
      // A server that is restarted is no news.
      let isLost = now - state.since > Self.longestGap
      (word, text, isGood) = (isLost ? "lost" : state.phase.rawValue, problem, !isLost)
    case .connected:
      if let obstacle = state.obstacle {
        (word, text, isGood) = ("connected", "messages wait: \(obstacle)", false)
      } else if let flooded = state.floodedUntil, flooded > now {
        (word, isGood) = ("flooded", false)
        text = "more than \(link.limits.messagesPerMinute) messages a minute come; the others wait"
      } else {
        (word, text, isGood) = ("connected", left, true)
      }
    case .ready: (word, text, isGood) = ("ready", "", true)
    }
  }

  /// How long a link may be without a connection before that counts.
  static let longestGap: Int64 = 60

  private static func omitted(_ omissions: [LinkState.Omission: Int64]) -> String {
    LinkState.Omission.allCases.compactMap { kind in
      guard let count = omissions[kind] else { return nil }
      let what =
        switch kind {
        case .tooLong: "were too long"
        case .unreadable: "were no messages"
        case .refused: "were refused by the center"
        case .binary: "were not text"
        case .badPayload: "had no valid payload"
        case .actions: "lost some of their actions"
        case .unencrypted: "were not encrypted"
        case .undecipherable: "could not be decrypted"
        case .overflow: "came while too many waited"
        }
      return "\(count) \(what)"
    }.joined(separator: ", ")
  }

  /// The finding of `suzu doctor`.
  func finding(of name: LinkName) -> Finding {
    let text =
      switch (text.isEmpty, word) {
      case (true, _): word
      case (false, "invalid"), (false, "stopped"): self.text
      default: "\(word); \(self.text)"
      }
    return Finding(what: "link \(name)", state: isGood ? .good : .degraded, text: text)
  }

  /// The findings about all links of the user; none if there are no links.
  static var findings: [Finding] {
    guard let folders = LinkFolders() else { return [] }
    return LinkListing(folders).rows.map { $0.report.finding(of: $0.name) }
  }
}
