// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// How one agent hands a permission request to its hooks, and which answers it takes: only data, in ``HookFormat/all``.
struct HookFormat {
  /// A decision about a request.
  enum Decision: String, CaseIterable {
    case allow, deny
    /// The agent asks the user itself.
    case ask
  }

  /// What a hook prints and its status. `{reason}` in a text is filled in.
  enum Form {
    case json(String)
    /// Prints nothing: the agent goes on as without a hook.
    case nothing
    /// The status 2, by which the agents know a denial whose reason is on standard error.
    case denial

    static let statusOfDenial: Int32 = 2
  }

  /// A kind of request that the agent asks hooks about.
  struct Event {
    /// The value of the format's event key; nil if the agent names no event.
    let name: String?
    /// The path of the tool's name.
    var tool: [String] = []
    /// The tool's name in events of a single tool.
    var onlyTool: String?
    /// The path of the tool's input: a dictionary, or JSON in a string.
    let input: [String]
    let allow: Form
    let deny: Form
    /// Nil if the agent cannot be told to ask: then the request is denied.
    let ask: Form?

    subscript(decision: Decision) -> Form {
      switch decision {
      case .allow: allow
      case .deny: deny
      case .ask: ask ?? deny
      }
    }
  }

  /// The name for `--hook`.
  let name: String
  /// The name of the agent.
  let agent: String
  /// The path of the event's name.
  let event: [String]
  /// The path of the folder in which the agent works.
  let folder: [String]
  let events: [Event]
  /// The answer to a request that cannot be read, whose event is not known.
  let unreadable: Form
  /// How long a hook may take without a setting of its own.
  let limit: Duration

  static func named(_ name: String) -> HookFormat? { all.first { $0.name == name } }

  /// The event with this name.
  func event(_ name: String?) -> Event? { events.first { $0.name == nil || $0.name == name } }
}

extension HookFormat.Form {
  /// The line to print; nil if there is none.
  func line(reason: String) -> String? {
    guard case .json(let text) = self, let value = try? JSONReader.read(text) else { return nil }
    return Self.filled(value, reason).json
  }

  private static func filled(_ value: PlainValue, _ reason: String) -> PlainValue {
    switch value {
    case .text("{reason}"): .text(reason)
    case .dictionary(let words): .dictionary(words.mapValues { filled($0, reason) })
    default: value
    }
  }
}
