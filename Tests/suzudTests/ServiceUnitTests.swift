// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests `dbus/suzud.service.in` with systemd.
@Suite(.timeLimit(.minutes(1))) struct ServiceUnitTests {
  /// Settings that would keep the center from identifying callers.
  static let blinding = [
    "PrivateUsers", "ProtectSystem", "ProtectHome", "PrivateTmp", "PrivateDevices", "PrivateMounts", "PrivateNetwork",
    "PrivateIPC", "ReadOnlyPaths", "ReadWritePaths", "InaccessiblePaths", "TemporaryFileSystem", "BindPaths",
    "RootDirectory", "ProtectProc", "ProcSubset", "ProtectClock", "ProtectHostname", "ProtectKernelLogs",
    "ProtectKernelModules", "ProtectKernelTunables", "ProtectControlGroups",
  ]
  /// Settings that a program started by a click would inherit.
  static let inherited = [
    "NoNewPrivileges", "SystemCallFilter", "SystemCallArchitectures", "RestrictAddressFamilies", "RestrictNamespaces",
    "RestrictRealtime", "RestrictSUIDSGID", "LockPersonality", "MemoryDenyWriteExecute", "CapabilityBoundingSet",
    "AmbientCapabilities", "SecureBits", "UMask", "LimitCORE", "OOMScoreAdjust", "Nice", "CPUSchedulingPolicy",
    "KeyringMode",
  ]
  /// Limits that would also apply to a browser in the center's control group.
  static let shared = [
    "MemoryMax", "MemoryHigh", "TasksMax", "CPUQuota", "IOWeight", "IPAddressDeny", "DevicePolicy", "SocketBindDeny",
    "RestrictNetworkInterfaces", "RuntimeMaxSec", "WatchdogSec",
  ]

  private static var template: String {
    get throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      return try String(contentsOf: root.appending(path: "dbus/suzud.service.in"), encoding: .utf8)
    }
  }

  /// Its lines that are not comments.
  private static var settings: [String] {
    get throws {
      try template.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") && $0.contains("=") }
    }
  }

  @Test func `The unit has no setting that would blind the center or confine its actions, and its comments say why`()
    throws
  {
    let settings = try Self.settings
    let comments = try Self.template.split(separator: "\n").filter { $0.hasPrefix("#") }.joined(separator: " ")
    for name in Self.blinding + Self.inherited + Self.shared {
      #expect(!settings.contains { $0.hasPrefix(name + "=") }, "\(name)")
      #expect(comments.contains(" \(name)="), "nothing says why '\(name)=' is not there")
    }
    #expect(settings.contains("KillMode=process") && settings.contains("OOMPolicy=continue"))
  }

  // MARK: As systemd sees it

  private static func analyze(_ words: [String], _ unit: String) throws -> (
    status: Int32, output: String, errors: String
  ) {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("suzud"), withDestinationPath: RunningProgram.path(of: "true") ?? "/bin/true")
    try folder.write("", to: "run/none")
    // Units of other installed programs may be invalid; ours needs systemd's own targets, and the bus.
    let units = "/usr/lib/systemd/user"
    try folder.write("", to: "units/none")
    for name in try FileManager.default.contentsOfDirectory(atPath: units)
    where name.hasSuffix(".target") || name.hasPrefix("dbus.") || name.hasSuffix(".slice") {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("units/" + name), withDestinationPath: units + "/" + name)
    }
    let file = try folder.write(
      unit.replacingOccurrences(of: "@bindir@", with: folder.path("")), to: "suzud.service")
    return try RunningProgram.run(
      "systemd-analyze", ["--user", "--no-pager"] + words + [file],
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": folder.path("home"), "XDG_RUNTIME_DIR": folder.path("run"),
        "LC_ALL": "C.UTF-8",
        "SYSTEMD_UNIT_PATH": folder.path("units"),
      ])
  }

  static let hasAnalyze = RunningProgram.path(of: "systemd-analyze") != nil

  @Test(.enabled(if: hasAnalyze, "no systemd-analyze here"))
  func `systemd-analyze verify accepts the unit`() throws {
    let (status, output, errors) = try Self.analyze(["--man=no", "verify"], Self.template)
    #expect(status == 0 && output.isEmpty && errors.isEmpty, "\(output) \(errors)")
    // The check can fail: it reports a wrong setting, though not always by its status.
    let wrong = try Self.analyze(["--man=no", "verify"], Self.template.replacing("OOMPolicy=", with: "OOMPolitics="))
    #expect(wrong.errors.contains("OOMPolitics"))
  }

  /// `--offline` exists since systemd 250.
  static let canReview =
    hasAnalyze
    && (try? analyze(["security", "--offline=true", "--json=short"], template))?.output.hasPrefix("[") == true

  @Test(.enabled(if: canReview, "no 'systemd-analyze security --offline' here"))
  func `The unit has every systemd protection that it can have, and none that must be off`() throws {
    let findings = try Self.review(Self.template)
    // Systemd 257 says of every unit that it has PrivateMounts=.
    let usual = try Self.review("[Service]\nExecStart=@bindir@/suzud\n").filter { $0.set == true }.map(\.name)
    #expect(findings.count > 50 && usual.count < 10)
    for name in Self.blinding + Self.inherited where name != "AmbientCapabilities" {
      for finding in findings where finding.name.hasPrefix(name + "=") && !usual.contains(finding.name) {
        #expect(finding.set != true, "\(finding.name)")
      }
    }
    for name in ["NotifyAccess=", "Delegate=", "AmbientCapabilities="] {
      #expect(findings.first { $0.name == name }?.set == true, "\(name)")
    }
  }

  private struct Finding: Decodable {
    let set: Bool?
    let name: String
  }

  private static func review(_ unit: String) throws -> [Finding] {
    let review = try analyze(["security", "--offline=true", "--json=short"], unit)
    return try JSONDecoder().decode([Finding].self, from: Data(review.output.utf8))
  }
}
