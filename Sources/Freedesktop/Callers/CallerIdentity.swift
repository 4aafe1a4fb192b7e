// SPDX-License-Identifier: Apache-2.0

/// The identity of a caller on the session bus, as verified by the kernel and the bus; never what the caller claims.
public enum CallerIdentity: Hashable, Sendable {
  /// A program of the user, with all rights of the user. Systemd's name of its application is a hint, not a proof.
  case unconfined(app: String?)
  /// A sandboxed or unknown program. It acts for `app` only; nil for none.
  case sandboxed(app: String?, by: Sandbox)

  /// The kind of sandbox.
  public enum Sandbox: Hashable, Sendable {
    /// Identified by the `/.flatpak-info` at its root.
    case flatpak
    /// Identified by its security label or its unit.
    case snap
    /// Another kind, or unknown.
    case unknown
    /// Not identified this time, because descriptors, memory or time were short.
    case undetermined
  }

  /// A program in a sandbox that does not tell its app: no rights.
  public static let unknown = CallerIdentity.sandboxed(app: nil, by: .unknown)

  /// Not identified this time: no rights, but the next query may succeed.
  public static let undetermined = CallerIdentity.sandboxed(app: nil, by: .undetermined)
}
