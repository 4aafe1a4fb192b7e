// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The real server of ntfy, which `Scripts/newer-program` fetches.
final class RealNtfy: Sendable {
  private static let place = Session.checkout.appending(path: ".build/ntfy")
  private static var program: String { place.appending(path: "usr/bin/ntfy").path }

  /// False if the set-up says that it could not be had. If the set-up did not run, the tests fail.
  static var isPossible: Bool {
    !FileManager.default.fileExists(atPath: place.appending(path: "missing").path)
  }

  let folder: TemporaryFolder
  let port: UInt16
  private let settings: String
  private let isEncrypted: Bool

  /// - Parameters:
  ///   - more: further lines of its configuration.
  ///   - certificate: the files of a certificate and its key, for TLS.
  init(_ more: [String] = [], certificate: (file: String, key: String)? = nil) throws {
    guard FileManager.default.isExecutableFile(atPath: Self.program) else {
      throw TestFailure("the server of ntfy was not fetched; run Scripts/newer-program")
    }
    folder = try TemporaryFolder()
    // A port that is free now.
    port = try HTTPStand().port
    isEncrypted = certificate != nil
    var lines = [
      "base-url: \"http\(isEncrypted ? "s" : "")://localhost:\(port)\"", "cache-file: \"\(folder.path("cache.db"))\"",
      "web-root: \"disable\"", "visitor-request-limit-burst: 10000",
    ]
    if let certificate {
      lines += [
        "listen-http: \"-\"", "listen-https: \"127.0.0.1:\(port)\"", "cert-file: \"\(certificate.file)\"",
        "key-file: \"\(certificate.key)\"",
      ]
    } else {
      lines.append("listen-http: \"127.0.0.1:\(port)\"")
    }
    settings = try folder.write((lines + more).joined(separator: "\n") + "\n", to: "server.yml")
  }

  var address: String { isEncrypted ? "https://localhost:\(port)" : "http://127.0.0.1:\(port)" }

  /// Starts it; it keeps its messages over restarts.
  func start() throws -> RunningProgram {
    let server = try RunningProgram(
      Self.program, ["serve", "-c", settings], environment: ["HOME": folder.url.path, "PATH": "/usr/bin:/bin"])
    guard server.readErrors(until: "Listening") != nil else { throw TestFailure("ntfy does not run: \(server.errors)") }
    // It says so a moment before it listens.
    let end = ContinuousClock.now + .seconds(30)
    while true {
      let asked = try RunningProgram.run(
        "curl", ["-s", "-S", "-k", "--fail", address + "/v1/health"], environment: ["PATH": "/usr/bin:/bin"])
      if asked.status == 0 { return server }
      guard server.isRunning, ContinuousClock.now < end else {
        throw TestFailure("ntfy does not answer: \(asked.errors)\(server.errors)")
      }
    }
  }

  /// Runs a command of it, such as `user add`.
  func run(_ words: [String], _ environment: [String: String] = [:]) throws -> String {
    let ended = try RunningProgram.run(
      Self.program, [words[0], "-c", settings] + words.dropFirst(),
      environment: ["HOME": folder.url.path, "PATH": "/usr/bin:/bin"].merging(environment) { $1 })
    guard ended.status == 0 else { throw TestFailure("ntfy \(words): \(ended.errors)") }
    return ended.output + ended.errors
  }

  /// Publishes with curl, as any script does.
  @discardableResult
  func publish(_ text: String, _ headers: [String: String] = [:], _ more: String...) throws -> String {
    let words = ["-s", "-S", "--fail", "-d", text] + more + headers.flatMap { ["-H", "\($0): \($1)"] }
    let ended = try RunningProgram.run("curl", words + ["\(address)/tea"], environment: ["PATH": "/usr/bin:/bin"])
    guard ended.status == 0 else { throw TestFailure("curl: \(ended.errors)") }
    return ended.output
  }

  /// Publishes with apprise, which many programs use to notify.
  func publish(withApprise text: String, title: String, _ more: String = "") throws {
    let ended = try RunningProgram.run(
      "apprise", ["-t", title, "-b", text, "ntfy://127.0.0.1:\(port)/tea" + more],
      environment: ["PATH": "/usr/bin:/bin", "HOME": folder.url.path, "LANG": "C.UTF-8"])
    guard ended.status == 0 else { throw TestFailure("apprise: \(ended)") }
  }
}

/// Certificates of an authority that no other machine knows.
struct TestAuthority {
  let folder: TemporaryFolder
  var file: String { folder.path("ca.pem") }

  init() throws {
    folder = try TemporaryFolder()
    try run(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
      folder.path("ca.key"),
      "-out", folder.path("ca.pem"), "-days", "30", "-subj", "/CN=Authority of a test")
  }

  /// A certificate for a host, valid between two days, counted from today.
  func certificate(for host: String, from: Int = -10, days: Int = 30) throws -> (file: String, key: String) {
    let (key, request, file) = (folder.path(host + ".key"), folder.path(host + ".csr"), folder.path(host + ".pem"))
    try run(
      "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", request,
      "-subj", "/CN=\(host)")
    let names = try folder.write("subjectAltName=DNS:\(host)\n", to: host + ".ext")
    try folder.write("", to: "issued")
    let settings = try folder.write(
      """
      [ca]
      default_ca = test
      [test]
      database = \(folder.path("issued"))
      new_certs_dir = \(folder.url.path)
      serial = \(folder.path("serial"))
      unique_subject = no
      default_md = sha256
      policy = any
      [any]
      commonName = supplied

      """, to: "ca.cnf")
    // Both dates in the past for one that has expired: 'x509 -days -1' is refused from OpenSSL 3.4 on.
    func date(_ day: Int) -> String {
      Date(timeIntervalSinceNow: Double(day) * 86400).formatted(
        .verbatim(
          "\(year: .defaultDigits)\(month: .twoDigits)\(day: .twoDigits)120000Z", timeZone: .gmt,
          calendar: .init(identifier: .gregorian)))
    }
    try run(
      "ca", "-batch", "-config", settings, "-create_serial", "-cert", self.file, "-keyfile", folder.path("ca.key"),
      "-in",
      request, "-out", file, "-notext", "-startdate", date(from), "-enddate", date(days), "-extfile", names)
    return (file, key)
  }

  private func run(_ words: String...) throws {
    let ended = try RunningProgram.run(
      "openssl", words, environment: ["PATH": "/usr/bin:/bin", "HOME": folder.url.path])
    guard ended.status == 0 else { throw TestFailure("openssl \(words): \(ended.errors)") }
  }
}
