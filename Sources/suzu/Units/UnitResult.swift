// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// How a unit ended, in systemd's words.
struct UnitResult: Equatable {
  /// `success`, `exit-code`, `signal` …; `failed` if it is not known.
  var result = "failed"
  /// The exit status, or the name or number of a signal; empty if it is not known.
  var status = ""
  /// The id of this run of the unit.
  var run: String?

  var hasFailed: Bool { result != "success" }
}

extension UnitResult {
  /// What systemd sets for the services of `OnFailure=` and `OnSuccess=`, since version 251:
  /// https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html. Returns nil if it has not.
  init?(environment: [String: String]) {
    guard let result = environment["MONITOR_SERVICE_RESULT"] else { return nil }
    self.init(
      result: result, status: environment["MONITOR_EXIT_STATUS"] ?? "", run: environment["MONITOR_INVOCATION_ID"])
  }

  /// The properties that `systemctl show` prints for ``init(shown:)``.
  static let properties = ["Result", "ExecMainCode", "ExecMainStatus", "InvocationID"]

  /// Reads lines such as `Result=exit-code`; returns nil without a result.
  init?(shown text: String) {
    var values: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    guard let result = values["Result"], !result.isEmpty else { return nil }
    // CLD_EXITED, else CLD_KILLED and CLD_DUMPED; 0 before its process has ended.
    let isKnown = values["ExecMainCode"].map { $0 != "0" } ?? false
    self.init(
      result: String(result), status: isKnown ? String(values["ExecMainStatus"] ?? "") : "",
      run: values["InvocationID"].map(String.init))
  }

  /// The name of a signal, such as `KILL`, or its number with a description.
  var signal: String {
    guard let number = Int32(status), 1...64 ~= number else { return status }
    return "\(number) (\(String(cString: strsignal(number))))"
  }
}
