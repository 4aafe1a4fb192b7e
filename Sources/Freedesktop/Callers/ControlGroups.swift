// SPDX-License-Identifier: Apache-2.0

/// The systemd units of a process, from `/proc/PID/cgroup`.
struct ControlGroups {
  /// The Snap of one of the units.
  private(set) var snap: SnapName?
  /// The application of the systemd unit, by the [convention of desktops](https://systemd.io/DESKTOP_ENVIRONMENTS/).
  /// The creator of the unit chose the name.
  private(set) var app: String?

  init(_ text: String) {
    // `0::/…`, and before cgroups were unified `1:name=systemd:/…` and a line for each of many controllers.
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      // The innermost one counts.
      for unit in parts[2].split(separator: "/").reversed() {
        if snap == nil, unit.hasPrefix("snap.") { snap = SnapName(unit: unit) ?? SnapName(label: "snap") }
        if app == nil, parts[1].isEmpty || parts[1] == "name=systemd" { app = Self.app(of: unit) }
      }
    }
  }

  /// `app[-LAUNCHER]-ID-RANDOM.scope` or `app[-LAUNCHER]-ID[@RANDOM].service`; a dash in an id is written `\x2d`.
  static func app(of unit: Substring) -> String? {
    guard unit.hasPrefix("app-") else { return nil }
    var parts = unit.dropFirst(4).split(separator: "-", omittingEmptySubsequences: false)
    if unit.hasSuffix(".scope") {
      guard parts.popLast() != nil, let id = parts.last else { return nil }
      return unescaped(id)
    }
    guard unit.hasSuffix(".service"), let last = parts.last else { return nil }
    return unescaped(last.dropLast(8).prefix { $0 != "@" })
  }

  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      // A number may not have a sign.
      guard rest.popFirst() == UInt8(ascii: "x"), rest.count >= 2, rest.first != UInt8(ascii: "+"),
        let decoded = UInt8(Substring(rest.prefix(2)), radix: 16), decoded != 0
      else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self).flatMap { InstalledApplications.id(of: $0) }
  }
}
