// SPDX-License-Identifier: Apache-2.0
internal import CCurl
internal import Links
internal import NotificationModel

/// One request of HTTP, and its answer as it comes; or one connection for another protocol, see ``Stream``.
///
/// Confined to the loop's thread.
package final class Transfer {
  /// What to get, or to send.
  struct Request {
    let url: String
    let server: ServerAddress
    let authority: String?
    var credentials: Credentials?
    /// The path of a certificate with its key, which the server may ask for.
    let certificate: String?
    /// What is sent; nil to only get.
    var sending: Sending?
    /// Whether only to connect.
    var isStream = false
  }

  /// What a request sends.
  struct Sending {
    var method = "POST"
    /// `Name: value`.
    let headers: [String]
    let body: String?
    /// How long the whole may take.
    var limit: Duration = .seconds(30)

    /// A body of JSON.
    init(json: String) { (headers, body) = (["Content-Type: application/json"], json) }

    init(method: String, headers: [String], body: String?, limit: Duration) {
      (self.method, self.headers, self.body, self.limit) = (method, headers, body, limit)
    }
  }

  /// What the server wants to know.
  package enum Credentials {
    case token(String)
    case password(login: String, String)
  }

  /// How a transfer has ended.
  enum End: Equatable {
    /// The server's answer is complete.
    case answered(status: Int, retryAfter: Int64?)
    case failed(TransferFailure)
  }

  let handle: UnsafeMutableRawPointer
  /// Whether it only connects.
  let isStream: Bool

  /// Called with each part of a good answer. Returns whether it was taken; if not, the same part comes again after
  /// ``Transfers/resume(_:)``.
  var whenRead: (UnsafeRawBufferPointer) -> Bool = { _ in true }
  /// Called once, at the end.
  var whenEnded: (End) -> Void = { _ in }
  /// Called once a connection without a request is made. It lives until ``Transfers/stop(_:)``.
  var whenOpened: () -> Void = {}
  /// Freed after the handle.
  private var headers: UnsafeMutablePointer<curl_slist>?
  private let isSending: Bool

  private static let agent = "suzu-link/\(ProductVersion.text)"
  /// How long a connection may take to be made.
  private static let connectionLimit = 30_000

  init(_ request: Request) throws(TransferFailure) {
    guard let handle = curl_easy_init() else { throw .noMemory }
    self.handle = handle
    isStream = request.isStream
    isSending = request.sending != nil
    // A transfer that is not set up completely is not started.
    guard set(request) else { throw .noMemory }
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headers)
  }

  private func set(_ request: Request) -> Bool {
    let owner = Unmanaged.passUnretained(self).toOpaque()
    return curl_set_writer(
      handle,
      { bytes, size, count, owner in
        // Set below, and kept by `Transfers` as long as libcurl has the handle.
        Unmanaged<Transfer>.fromOpaque(owner!).takeUnretainedValue().read(
          UnsafeRawBufferPointer(start: bytes, count: size * count))
      }, owner) == CURLE_OK
      && set(CURLOPT_URL, request.url) && set(CURLOPT_USERAGENT, Self.agent)
      // Nothing but this one request to this one server: no redirect, which could lead credentials elsewhere.
      && set(CURLOPT_PROTOCOLS_STR, request.server.isEncrypted ? "https" : "http") && set(CURLOPT_FOLLOWLOCATION, 0)
      && (!request.server.isLocal || set(CURLOPT_PROXY, ""))
      // HTTP/2 would let the server fill a window of many megabytes while the link has paused.
      && set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
      // A connection that is only made counts as one to be used again; TLS names no protocol for what follows.
      && set(CURLOPT_CONNECT_ONLY, isStream ? 1 : 0) && set(CURLOPT_SSL_ENABLE_ALPN, isStream ? 0 : 1)
      && set(CURLOPT_FORBID_REUSE, isStream ? 0 : 1) && set(CURLOPT_NOSIGNAL, 1)
      && set(CURLOPT_CONNECTTIMEOUT_MS, Self.connectionLimit) && set(CURLOPT_TCP_KEEPALIVE, 1)
      // The certificate must be valid, and be that of the host. These are also the usual values.
      && set(CURLOPT_SSL_VERIFYPEER, 1) && set(CURLOPT_SSL_VERIFYHOST, 2)
      && set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
      && setAuthority(request.authority) && setCertificate(request.certificate) && set(request.credentials)
      && set(request.sending)
  }

  private func set(_ sending: Sending?) -> Bool {
    guard let sending else { return true }
    // Without the last one, libcurl would wait for an answer before it sends a long body.
    for header in sending.headers + ["Expect:"] {
      guard let longer = curl_slist_append(headers, header) else { return false }
      headers = longer
    }
    guard curl_set_list(handle, CURLOPT_HTTPHEADER, headers) == CURLE_OK,
      set(CURLOPT_TIMEOUT_MS, Int(sending.limit / .milliseconds(1))),
      set(CURLOPT_CUSTOMREQUEST, sending.method)
    else { return false }
    if sending.method == "GET" { return true }
    let body = sending.body ?? ""
    // The size first, so that all of it is copied.
    return set(CURLOPT_POST, 1) && set(CURLOPT_POSTFIELDSIZE, body.utf8.count) && set(CURLOPT_COPYPOSTFIELDS, body)
  }

  /// A link with authorities of its own trusts only these, and not those of the system.
  private func setAuthority(_ path: String?) -> Bool {
    guard let path else { return true }
    return set(CURLOPT_CAINFO, path) && curl_set_text(handle, CURLOPT_CAPATH, nil) == CURLE_OK
  }

  /// One file with both.
  private func setCertificate(_ path: String?) -> Bool {
    guard let path else { return true }
    return set(CURLOPT_SSLCERT, path) && set(CURLOPT_SSLKEY, path)
  }

  private func set(_ credentials: Credentials?) -> Bool {
    switch credentials {
    case .token(let token):
      set(CURLOPT_HTTPAUTH, Int(1 << 6)) && set(CURLOPT_XOAUTH2_BEARER, token)  // CURLAUTH_BEARER
    case .password(let login, let password):
      set(CURLOPT_HTTPAUTH, 1) && set(CURLOPT_USERNAME, login) && set(CURLOPT_PASSWORD, password)  // CURLAUTH_BASIC
    case nil: true
    }
  }

  private func set(_ option: CURLoption, _ number: Int) -> Bool { curl_set_number(handle, option, number) == CURLE_OK }
  private func set(_ option: CURLoption, _ text: String) -> Bool { curl_set_text(handle, option, text) == CURLE_OK }

  private var status: Int {
    var status = 0
    curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
    return status
  }

  private func read(_ bytes: UnsafeRawBufferPointer) -> Int {
    // The text of an error is not read: anything else than the number of bytes ends the transfer.
    guard status == 200 else { return bytes.isEmpty ? 0 : bytes.count - 1 }
    return whenRead(bytes) ? bytes.count : curl_write_pause
  }

  func end(_ code: CURLcode) {
    if isStream, code == CURLE_OK { return whenOpened() }
    let status = status
    var pause: curl_off_t = 0
    curl_get_offset(handle, CURLINFO_RETRY_AFTER, &pause)
    // A server that has said so has taken what was sent, whatever comes of the rest of its answer.
    let isTaken = isSending && (200..<300).contains(status)
    if code == CURLE_OK || code == CURLE_WRITE_ERROR || isTaken, status != 0 {
      whenEnded(.answered(status: status, retryAfter: pause > 0 ? Int64(pause) : nil))
    } else {
      var verification = 0
      curl_get_number(handle, CURLINFO_SSL_VERIFYRESULT, &verification)
      whenEnded(.failed(TransferFailure(code, verification: verification)))
    }
  }
}
