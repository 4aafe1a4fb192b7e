// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import Links

/// The programs that senders of Web Push use: packages of PyPI, which `Scripts/python-packages` fetches.
enum WebPushSender: String, CaseIterable, Sendable {
  case httpECE = "http-ece"
  case pywebpush

  private static let place = Session.checkout.appending(path: ".build/webpush")

  /// False if the set-up says that they could not be had. If the set-up did not run, the tests fail.
  static var isPossible: Bool {
    !FileManager.default.fileExists(atPath: place.appending(path: "missing").path)
  }

  private var encryption: String {
    switch self {
    case .httpECE:
      """
      import http_ece
      from cryptography.hazmat.primitives.asymmetric import ec
      message = http_ece.encrypt(text, private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decoded(subscription["keys"]["p256dh"]), auth_secret=decoded(subscription["keys"]["auth"]),
        version="aes128gcm")
      """
    case .pywebpush:
      """
      from pywebpush import WebPusher
      message = WebPusher(subscription).encode(text, content_encoding="aes128gcm")["body"]
      """
    }
  }

  /// Encrypts a text for what `suzu link show` has printed.
  func encrypt(_ text: String, for subscription: String) throws -> [UInt8] {
    let script = """
      import base64, json, sys
      decoded = lambda text: base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
      subscription, text = json.loads(sys.argv[1]), sys.stdin.buffer.read()
      \(encryption)
      print(base64.b64encode(message).decode())
      """
    let line = try Self.run(script, [subscription], input: text).trimmingCharacters(in: .newlines)
    guard let bytes = Data(base64Encoded: line) else { throw TestFailure("no message: \(line)") }
    return Array(bytes)
  }

  /// Sends a text as an application server does: with the request to the push server, signed with a key of its own.
  ///
  /// - Parameter key: a private key of P-256, in base64url.
  static func post(_ text: String, to subscription: String, key: String) throws {
    let script = """
      import json, sys
      from pywebpush import webpush
      webpush(json.loads(sys.argv[1]), sys.stdin.buffer.read(), vapid_private_key=sys.argv[2],
        vapid_claims={"sub": "mailto:ann@example.org"}, ttl=60)
      """
    _ = try run(script, [subscription, key], input: text)
  }

  private static func run(_ script: String, _ arguments: [String], input: String) throws -> String {
    let python = place.appending(path: "bin/python").path
    guard FileManager.default.isExecutableFile(atPath: python) else {
      throw TestFailure("the packages of PyPI were not fetched; run Scripts/python-packages")
    }
    let ended = try RunningProgram.run(
      python, ["-c", script] + arguments, environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], input: input)
    guard ended.status == 0 else { throw TestFailure("Python: \(ended.errors)") }
    return ended.output
  }
}
