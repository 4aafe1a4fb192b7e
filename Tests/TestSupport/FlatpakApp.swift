// SPDX-License-Identifier: Apache-2.0
internal import TestStage

/// A real Flatpak app, built without a network: its runtime has a shell, `gdbus` and their libraries of this machine.
public struct FlatpakApp: Sendable {
  /// The programs that it needs.
  public static let missing = ["flatpak", "bwrap", "xdg-dbus-proxy", "gdbus"].filter {
    RunningProgram.path(of: $0) == nil
  }

  /// The id.
  public let id: String
  private let environment: [String: String]

  /// Whether Flatpak's sandbox can be made here: it needs a user namespace.
  public static let isPossible =
    missing.isEmpty
    && (try? RunningProgram.run(
      "bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"], environment: ["PATH": "/usr/bin:/bin"]))?.status == 0

  /// Builds and installs the app for the user of the session. It may talk to `names` on the bus.
  public init(_ id: String, talkingTo names: [String] = [], in session: Session) throws {
    self.id = id
    environment = session.environment
    let script = """
      set -e
      mkdir -m 700 -p "$XDG_RUNTIME_DIR"
      mkdir -p "$1" && cd "$1"
      arch=$(flatpak --default-arch)
      mkdir -p runtime/files runtime/usr/bin runtime/usr/lib runtime/usr/lib64
      for program in bash gdbus cat; do
        cp -L "$(command -v $program)" runtime/usr/bin/
        ldd "$(command -v $program)" | grep -o '/[^ ]*' | while read -r library; do cp -Ln "$library" runtime/usr/lib/; done
      done
      cp -L /lib64/ld-linux-* runtime/usr/lib64/ 2>/dev/null || cp -L /lib/ld-linux-* runtime/usr/lib/
      ln -s bash runtime/usr/bin/sh
      printf '[Runtime]\\nname=%s\\nruntime=%s/%s/1\\nsdk=%s/%s/1\\n' \
        org.example.Platform org.example.Platform "$arch" org.example.Platform "$arch" >runtime/metadata
      flatpak build-export --runtime repository runtime 1
      flatpak --user remote-add --no-gpg-verify local repository
      flatpak --user install -y --noninteractive local org.example.Platform//1
      flatpak build-init app "$2" org.example.Platform org.example.Platform 1
      mkdir -p app/files/bin
      printf '#!/bin/sh\\nexec "$@"\\n' >app/files/bin/run && chmod 755 app/files/bin/run
      id=$2 && shift 2
      flatpak build-finish app --command=run "$@"
      flatpak build-export repository app
      flatpak --user install -y --noninteractive local "$id"
      """
    let words = [session.folder.path("flatpak"), id] + names.map { "--talk-name=" + $0 }
    let built = try RunningProgram.run(
      "/bin/bash", ["-c", script, "bash"] + words, environment: environment, within: 60)
    guard built.status == 0 else { throw TestFailure("flatpak: \(built.errors)") }
  }

  /// Runs a program inside.
  public func run(_ words: String...) throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run("flatpak", ["run", "--user", id] + words, environment: environment, within: 30)
  }

  /// Calls a method on the session bus from inside.
  public func call(
    _ name: String, _ path: String, _ method: String, _ arguments: [String]
  ) throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(
      "flatpak", ["run", "--user", id, "gdbus", "call", "--session", "-d", name, "-o", path, "-m", method] + arguments,
      environment: environment, within: 30)
  }
}
