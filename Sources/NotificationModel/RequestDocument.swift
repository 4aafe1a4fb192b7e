// SPDX-License-Identifier: Apache-2.0

/// What a file holds: one request, or several in a list; as JSON, or as a property list. It knows where in the file each
/// word stands, for those who have to say what is wrong with it.
public struct RequestDocument: Sendable {
  /// The requests as they are written, not checked yet.
  public let requests: [[String: PlainValue]]
  /// Whether they stand in a list, be it of one.
  public let isList: Bool
  private let document: PlainDocument

  /// From a file's content; by what it begins with it is told what it is.
  public init(_ bytes: [UInt8]) throws(DocumentError) { try self.init(PlainDocument(bytes)) }

  /// From what a file holds.
  public init(_ document: PlainDocument) throws(DocumentError) {
    self.document = document
    switch document.value {
    case .dictionary(let request):
      requests = [request]
      isList = false
    case .list(let values):
      isList = true
      if values.isEmpty { throw DocumentError("the list has no requests") }
      var requests: [[String: PlainValue]] = []
      for (index, value) in values.enumerated() {
        guard case .dictionary(let request) = value else {
          throw document.error(RequestError("[\(index)]", "must be a dictionary"))
        }
        requests.append(request)
      }
      self.requests = requests
    default: throw DocumentError("a request must be a dictionary: { … }")
    }
  }

  /// Checks a request that was made of the one with this number; in a list, the error says which.
  @discardableResult
  public func check(_ request: [String: PlainValue], number: Int) throws(RequestError) -> NotificationRequest {
    do throws(RequestError) { return try NotificationRequest(request) } catch { throw self.error(error, number) }
  }

  /// What else is wrong with a request, found by others.
  public func error(about key: String, number: Int) -> RequestError { error(RequestError(key, "is wrong"), number) }

  private func error(_ error: RequestError, _ number: Int) -> RequestError {
    isList ? error.inRequest(number) : error
  }

  /// Where in the file is what an error is about, or else what it should be in; nil in a binary one.
  public func place(of error: RequestError) -> DocumentPlace? { document.place(of: error) }
}

extension NotificationRequest {
  /// From the words of the vocabulary, checked.
  public init(_ words: [String: PlainValue]) throws(RequestError) {
    do {
      self = try PlainValue.dictionary(words).decode()
    } catch let error as RequestError {
      throw error
    } catch {
      // What decodes it throws nothing else.
      throw RequestError("", "cannot be read: \(error)")
    }
  }
}
