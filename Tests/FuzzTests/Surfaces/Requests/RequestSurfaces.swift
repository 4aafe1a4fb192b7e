// SPDX-License-Identifier: Apache-2.0
import NotificationModel

/// Requests and categories as JSON and property lists, and the texts inside of them.
enum RequestSurfaces {
  static let all = [
    Surface("request", request),
    Surface("category", category),
    Surface("json", text: json),
    Surface("words", text: words),
    Surface("condition", text: condition),
    Surface("template", text: template),
  ]

  static func request(_ bytes: [UInt8]) throws(Surprise) -> Bool {
    guard let plain = try? PlainDocument(bytes), let document = try? RequestDocument(plain) else { return false }
    var isAccepted = false
    for (number, words) in document.requests.prefix(20).enumerated() {
      switch Result(catching: { () throws(RequestError) in try document.check(words, number: number) }) {
      case .success(let request):
        isAccepted = true
        try Surprise.unless(
          (try? RequestDocument(Array(request.json.utf8))).flatMap { try? $0.check($0.requests[0], number: 0) }
            == request,
          "\(request.json) is not read back equal")
      case .failure(let error):
        try Surprise.unless(!error.description.isEmpty, "an error without a text")
        _ = document.place(of: error)
      }
    }
    return isAccepted
  }

  static func category(_ bytes: [UInt8]) throws(Surprise) -> Bool {
    guard let document = try? CategoryDocument(bytes) else { return false }
    for category in document.categories {
      let again = try? CategoryDocument(Array(category.plain.json.utf8))
      try Surprise.unless(again?.categories == [category], "\(category.plain.json) is not read back equal")
    }
    return true
  }

  static func json(_ text: String) throws(Surprise) -> Bool {
    guard let value = try? JSONReader.read(text) else { return false }
    try Surprise.unless((try? JSONReader.read(value.json)) == value, "\(value.json) is not read back equal")
    return true
  }

  /// The short texts of requests.
  static func words(_ text: String) throws(Surprise) -> Bool {
    var isAccepted = false
    if let time = try? SnoozeTime(text) {
      isAccepted = true
      try Surprise.unless((try? SnoozeTime(time.text)) == time, "the snooze time '\(time.text)' is not read back equal")
    }
    if let duration = try? Duration.parse(text) {
      isAccepted = true
      try Surprise.unless(
        (try? Duration.parse(duration.text)) == duration, "the duration '\(duration.text)' is not read back equal")
    }
    if let search = TextSearch(text) { isAccepted = search.finds(text) || isAccepted }
    if let id = try? RequestID(text) {
      isAccepted = true
      try Surprise.unless((1...255).contains(id.text.utf8.count), "the id has \(id.text.utf8.count) bytes")
    }
    return isAccepted
  }

  static func condition(_ line: String) throws(Surprise) -> Bool {
    guard let condition = try? Condition(line) else { return false }
    try Surprise.unless(
      (try? Condition(condition.text)) == condition, "'\(condition.text)' is not read back equal")
    return true
  }

  static func template(_ text: String) throws(Surprise) -> Bool {
    guard let template = try? Template(text) else { return false }
    try Surprise.unless((try? Template(text)) == template, "'\(text)' is read in two ways")
    _ = template.userInfoKeys
    return template.hasPlaces
  }
}
