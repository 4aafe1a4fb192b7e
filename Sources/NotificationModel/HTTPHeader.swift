// SPDX-License-Identifier: Apache-2.0

/// The rules for a header of an ``HTTPCall``: nothing in it can end it, or change how the request is sent.
enum HTTPHeader {
  /// The most headers of a call.
  static let most = 20
  private static let longestName = 100
  private static let longestValue = 4096

  /// What the transport decides.
  private static let reserved: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te", "trailer", "keep-alive",
    "proxy-authorization", "proxy-connection",
  ]

  /// Refuses a header; the error does not quote its value, which may be a secret.
  static func check(_ name: String, _ value: String) throws(RequestError) {
    guard (1...longestName).contains(name.utf8.count), name.utf8.allSatisfy({ isTokenByte($0) }) else {
      throw RequestError("", "must have names of letters, digits and dashes, not \(name.quoted)")
    }
    guard !reserved.contains(name.lowercased()) else {
      throw RequestError("", "cannot set \(name.quoted), which belongs to the connection")
    }
    guard value.utf8.count <= longestValue, value.utf8.allSatisfy({ $0 > 31 && $0 < 127 }) else {
      throw RequestError("", "must have values in ASCII of at most \(longestValue) bytes, which \(name.quoted) has not")
    }
    guard (try? Template(value).hasPlaces) != true else {
      throw RequestError("", "cannot have placeholders, which \(name.quoted) has; use them in 'url' or 'body'")
    }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
