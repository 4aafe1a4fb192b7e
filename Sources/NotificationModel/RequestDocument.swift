// SPDX-License-Identifier: Apache-2.0

/// The content of a file: one request, or a list of requests, or a listing of requests; as JSON, or as a property list.
/// It knows the position of each key, for errors.
public struct RequestDocument: Sendable {
  /// The requests as written, not checked yet.
  public let requests: [[String: PlainValue]]
  /// Whether the requests are in a list, even a list of one.
  public let isList: Bool
  private let document: PlainDocument

  /// Parses a file's content; the format is detected by its first bytes.
  public init(_ bytes: [UInt8]) throws(DocumentError) { try self.init(PlainDocument(bytes)) }

  /// Reads a parsed file.
  public init(_ document: PlainDocument) throws(DocumentError) {
    self.document = document
    switch document.value {
    case .dictionary(let request):
      requests = [ListingKey.request(in: request)]
      isList = false
    case .list(let values):
      isList = true
      if values.isEmpty { throw DocumentError("the list has no requests") }
      var requests: [[String: PlainValue]] = []
      for (index, value) in values.enumerated() {
        guard case .dictionary(let request) = value else {
          throw document.error(RequestError("[\(index)]", "must be a dictionary"))
        }
        requests.append(ListingKey.request(in: request))
      }
      self.requests = requests
    default: throw DocumentError("a request must be a dictionary: { … }")
    }
  }

  /// Checks a request that was derived from the one with this number; in a list, errors name the index.
  @discardableResult
  public func check(_ request: [String: PlainValue], number: Int) throws(RequestError) -> NotificationRequest {
    do throws(RequestError) { return try NotificationRequest(request) } catch { throw self.error(error, number) }
  }

  /// An error about a key that was detected elsewhere.
  public func error(about key: String, number: Int) -> RequestError { error(RequestError(key, "is wrong"), number) }

  private func error(_ error: RequestError, _ number: Int) -> RequestError {
    isList ? error.inRequest(number) : error
  }

  /// The position of an error's value, or of the container that lacks it; nil in a binary file.
  public func place(of error: RequestError) -> DocumentPlace? { document.place(of: error) }
}

extension NotificationRequest {
  /// Creates a request from keys and values, and checks it.
  public init(_ words: [String: PlainValue]) throws(RequestError) { self = try PlainValue.dictionary(words).checked() }
}

extension PlainValue {
  /// Decodes a value whose decoding throws only request errors.
  func checked<T: Decodable>() throws(RequestError) -> T {
    do {
      return try decode()
    } catch let error as RequestError {
      throw error
    } catch {
      // Decoding throws no other errors.
      throw RequestError("", "cannot be read: \(error)")
    }
  }
}
