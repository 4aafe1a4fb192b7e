// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport

/// The real server of MQTT in Debian, with its own programs as senders.
final class RealMosquitto: Sendable {
  let folder: TemporaryFolder
  let port: UInt16
  private let settings: String
  private let isEncrypted: Bool
  private static let environment = ["PATH": "/usr/sbin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
  private static var program: String { RunningProgram.path(of: "mosquitto") ?? "/usr/sbin/mosquitto" }

  /// - Parameters:
  ///   - more: further lines of its configuration.
  ///   - certificate: the files of a certificate and its key, for TLS.
  init(_ more: [String] = ["allow_anonymous true"], certificate: (file: String, key: String)? = nil) throws {
    folder = try TemporaryFolder()
    // A port that is free now.
    port = try LocalListener { $0.shutDown() }.port
    isEncrypted = certificate != nil
    // It writes each change to the disk, so that it can be killed.
    var lines = [
      "listener \(port) 127.0.0.1", "persistence true", "persistence_location \(folder.url.path)/",
      "autosave_interval 1", "autosave_on_changes true", "log_type all", "max_queued_messages 0",
      // Otherwise root becomes another user, who cannot read the folder.
      "user \(getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "root")",
    ]
    if let certificate { lines += ["certfile \(certificate.file)", "keyfile \(certificate.key)"] }
    settings = try folder.write((lines + more).joined(separator: "\n") + "\n", to: "mosquitto.conf")
  }

  var address: String { isEncrypted ? "mqtts://localhost:\(port)" : "mqtt://127.0.0.1:\(port)" }

  /// Starts it; it keeps its sessions over restarts.
  func start() throws -> RunningProgram {
    let server = try RunningProgram(Self.program, ["-c", settings], environment: Self.environment)
    guard server.readErrors(until: " running") != nil else {
      throw TestFailure("mosquitto does not run: \(server.errors)")
    }
    return server
  }

  /// Publishes at least once, as any script does.
  func publish(_ text: String, to topic: String = "tea", _ more: String..., words: [(String, String)] = []) throws {
    try publish(["-m", text], to: topic, more, words: words)
  }

  /// - Parameter content: how mosquitto_pub gets the message.
  func publish(
    _ content: [String], to topic: String = "tea", _ more: [String] = [], words: [(String, String)] = [],
    input: String = ""
  ) throws {
    let properties = words.flatMap { ["-D", "publish", "user-property", $0.0, $0.1] }
    let ended = try RunningProgram.run(
      "mosquitto_pub",
      ["-h", isEncrypted ? "localhost" : "127.0.0.1", "-p", "\(port)", "-V", "mqttv5", "-q", "1", "-t", topic] + content
        + properties + more,
      environment: Self.environment, input: input)
    guard ended.status == 0 else { throw TestFailure("mosquitto_pub: \(ended)") }
  }

  /// A file with a user and a password.
  static func passwords(_ folder: TemporaryFolder, _ users: [String: String]) throws -> String {
    let file = try folder.write("", to: "passwords")
    for (user, password) in users {
      let ended = try RunningProgram.run(
        "mosquitto_passwd", ["-b", file, user, password], environment: environment)
      guard ended.status == 0 else { throw TestFailure("mosquitto_passwd: \(ended)") }
    }
    return file
  }
}
