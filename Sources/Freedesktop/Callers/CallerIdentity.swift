// SPDX-License-Identifier: Apache-2.0

/// Who a caller on the session bus is, as far as the kernel and the bus vouch for it; never what it says of itself.
public enum CallerIdentity: Hashable, Sendable {
  /// A program of the user's own, which may do whatever the user may. What systemd calls its application is a hint and
  /// no proof: such a program can be anybody.
  case unconfined(app: String?)
  /// One that is kept apart, or that nobody can tell anything of. It acts for `app` only; nil: for none.
  case sandboxed(app: String?, by: Sandbox)

  /// What keeps it apart.
  public enum Sandbox: Hashable, Sendable {
    /// Told by the `/.flatpak-info` at its root.
    case flatpak
    /// Told by its security label, or the unit that it runs in.
    case snap
    /// Something else.
    case unknown
    /// It could not be found out this time: descriptors, memory or time were short.
    case undetermined
  }

  /// Kept apart by something that says nothing of its app: no rights.
  public static let unknown = CallerIdentity.sandboxed(app: nil, by: .unknown)

  /// Not identified this time: no rights, and the next time may tell more.
  public static let undetermined = CallerIdentity.sandboxed(app: nil, by: .undetermined)
}
