// SPDX-License-Identifier: Apache-2.0

/// Which signals somebody wants to hear.
///
/// The bus uses the rule to choose what it sends us; we use it again on everything that arrives, because a signal that
/// is addressed to us directly comes through whatever the rules say.
public struct MatchRule: Hashable, Sendable {
  /// Who must have sent it. For a well-known name: whoever owns it at that moment.
  public var sender: BusName?
  /// Which object it must be about.
  public var path: ObjectPath?
  /// Below which object it must be about, or that object itself.
  public var pathNamespace: ObjectPath?
  /// Its interface.
  public var interface: InterfaceName?
  /// Its name.
  public var member: MemberName?
  /// Its first argument, which must be a string.
  public var firstArgument: String?

  /// Everything left out is not looked at.
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

  /// The rule as `AddMatch` takes it.
  public var text: String {
    var parts = ["type='signal'"]
    func add(_ key: String, _ value: String?) {
      guard let value else { return }
      // Within quotes nothing is special; a quote itself must stand outside of them, behind a backslash.
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

  /// Whether everything but the sender and the arguments fits.
  func fits(path: ObjectPath, interface: InterfaceName, member: MemberName) -> Bool {
    (self.path == nil || self.path == path)
      && (pathNamespace.map { path.isWithin($0) } ?? true)
      && (self.interface == nil || self.interface == interface)
      && (self.member == nil || self.member == member)
  }

  /// Whether the first argument fits.
  func fits(_ arguments: [Value]) -> Bool {
    firstArgument == nil || arguments.first?.string == firstArgument
  }

  /// The bus's own notice that `name` went from one owner to another.
  static func ownerChanges(of name: BusName) -> MatchRule {
    MatchRule(
      sender: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
      firstArgument: name.text)
  }
}
