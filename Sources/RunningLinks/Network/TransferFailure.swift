// SPDX-License-Identifier: Apache-2.0
internal import CCurl

/// Why a transfer has failed, in words that name no address, which may be private.
package struct TransferFailure: Error, Equatable {
  let problem: String
  /// Whether another attempt alone may help.
  var isTemporary = true
  /// Whether nothing was sent, because there was no connection.
  var isUnsent = false

  static let noMemory = TransferFailure(problem: "there is no memory for a connection")
  static let lost = TransferFailure(problem: "the connection to the server was lost")
  static let silent = TransferFailure(problem: "the server has been silent for too long")

  init(problem: String, isTemporary: Bool = true) { (self.problem, self.isTemporary) = (problem, isTemporary) }

  private init(unsent problem: String) { (self.problem, isUnsent) = (problem, true) }

  /// - Parameter verification: what OpenSSL says about the certificate.
  init(_ code: CURLcode, verification: Int) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      self.init(unsent: "the name of the server is not known, or there is no network")
    case CURLE_COULDNT_RESOLVE_PROXY: self.init(unsent: "the name of the proxy is not known")
    case CURLE_COULDNT_CONNECT: self.init(unsent: "the server cannot be reached")
    case CURLE_OPERATION_TIMEDOUT: self.init(problem: "the server does not answer")
    case CURLE_PEER_FAILED_VERIFICATION:
      self.init(problem: "the certificate of the server \(Self.words(verification))", isTemporary: false)
    case CURLE_SSL_CACERT_BADFILE:
      self.init(problem: "the file of the authority cannot be read, or has no certificate", isTemporary: false)
    case CURLE_SSL_CERTPROBLEM:
      self.init(
        problem:
          "the file of the client certificate cannot be used: it needs a certificate and its key, without a password",
        isTemporary: false)
    case CURLE_SSL_CONNECT_ERROR: self.init(problem: "the server and this machine cannot agree on TLS")
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      self = .lost
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2:
      self.init(problem: "the server does not speak HTTP")
    default: self.init(problem: String(cString: curl_easy_strerror(code)).lowercased())
    }
  }

  /// OpenSSL's numbers, in `X509_verify_cert_error_string(3)`.
  private static func words(_ verification: Int) -> String {
    switch verification {
    case 9: "is not valid yet; check the clock of this machine"
    case 10: "has expired; or the clock of this machine is wrong"
    case 18, 19, 20, 21: "is signed by an authority that this machine does not know; name its file in 'authority'"
    case 23: "was revoked"
    default: "is not that of this host"
    }
  }
}
