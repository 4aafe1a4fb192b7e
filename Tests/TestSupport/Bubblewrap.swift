// SPDX-License-Identifier: Apache-2.0

/// A real sandbox: a mount namespace with a root of its own, made by the program that Flatpak uses.
public enum Bubblewrap {
  /// Whether it is here, and may make namespaces.
  public static let isPossible: Bool =
    (try? RunningProgram.run(
      "bwrap", Array(system.dropFirst()) + ["true"], environment: ["PATH": "/usr/bin:/bin"]))?.status == 0

  private static let system =
    ["bwrap", "--ro-bind", "/usr", "/usr"]
    + ["bin", "sbin", "lib", "lib64"].flatMap { ["--symlink", "usr/\($0)", "/\($0)"] }

  /// The words in front of a command that shall run in there. It sees `folder`, and a file as `/.flatpak-info`.
  public static func words(_ folder: TemporaryFolder, info: String? = nil, _ more: [String] = []) -> [String] {
    var words = system + ["--proc", "/proc", "--dev", "/dev", "--bind", folder.path(""), folder.path("")]
    if let info { words += ["--ro-bind", info, "/.flatpak-info"] }
    return words + more + ["--"]
  }
}
