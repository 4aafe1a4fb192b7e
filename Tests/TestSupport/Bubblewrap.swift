// SPDX-License-Identifier: Apache-2.0
package import TestStage

/// A real sandbox with its own mount namespace and root, made by bwrap as in Flatpak.
public enum Bubblewrap {
  /// Whether bwrap is installed and may create namespaces.
  public static let isPossible: Bool =
    (try? RunningProgram.run(
      "bwrap", Array(system.dropFirst()) + ["true"], environment: ["PATH": "/usr/bin:/bin"]))?.status == 0

  private static let system =
    ["bwrap", "--ro-bind", "/usr", "/usr"]
    + ["bin", "sbin", "lib", "lib64"].flatMap { ["--symlink", "usr/\($0)", "/\($0)"] }

  /// The command prefix that runs a command in the sandbox. It sees `folder`, and `info` as `/.flatpak-info`.
  package static func words(_ folder: TemporaryFolder, info: String? = nil, _ more: [String] = []) -> [String] {
    var words = system + ["--proc", "/proc", "--dev", "/dev", "--bind", folder.path(""), folder.path("")]
    if let info { words += ["--ro-bind", info, "/.flatpak-info"] }
    return words + more + ["--"]
  }
}
