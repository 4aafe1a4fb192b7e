// SPDX-License-Identifier: Apache-2.0

/// A rule that selects signals.
///
/// The bus uses the rule to choose the signals that it sends to us; we apply it again to all that arrive, because a
/// signal that is addressed to us directly bypasses the rules.
public struct MatchRule: Hashable, Sendable {
  /// The sender. For a well-known name, its owner at that moment.
  public var sender: BusName?
  /// The object.
  public var path: ObjectPath?
  /// The object or any object below it.
  public var pathNamespace: ObjectPath?
  /// The interface.
  public var interface: InterfaceName?
  /// The signal's name.
  public var member: MemberName?
  /// The first argument, which must be a string.
  public var firstArgument: String?

  /// Creates a rule; omitted parts match everything.
  public init(
    sender: BusName? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil,
    interface: InterfaceName? = nil, member: MemberName? = nil, firstArgument: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.pathNamespace = pathNamespace
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
  }

  /// The rule as an argument of `AddMatch`.
  public var text: String {
    var parts = ["type='signal'"]
    func add(_ key: String, _ value: String?) {
      guard let value else { return }
      // Inside quotes nothing is special; a quote itself must be outside, after a backslash.
      parts.append(
        "\(key)='" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'")
    }
    add("sender", sender?.text)
    add("path", path?.text)
    add("path_namespace", pathNamespace?.text)
    add("interface", interface?.text)
    add("member", member?.text)
    add("arg0", firstArgument)
    return parts.joined(separator: ",")
  }

  /// Whether everything except the sender and the arguments matches.
  func fits(path: ObjectPath, interface: InterfaceName, member: MemberName) -> Bool {
    (self.path == nil || self.path == path)
      && (pathNamespace.map { path.isWithin($0) } ?? true)
      && (self.interface == nil || self.interface == interface)
      && (self.member == nil || self.member == member)
  }

  /// Whether the first argument matches.
  func fits(_ arguments: [Value]) -> Bool {
    firstArgument == nil || arguments.first?.string == firstArgument
  }

  /// The rule for the bus's report that `name` changed its owner.
  static func ownerChanges(of name: BusName) -> MatchRule {
    MatchRule(
      sender: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
      firstArgument: name.text)
  }
}
