// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// The keys of a link's file.
private enum Key: String, CaseIterable {
  case transport, app, server, topic, send, receive, answers
  case tokenFile, tokenCredential, login, passwordFile, passwordCredential, authority, clientCertificate
  case keysFile, keysCredential, vapid
  case levels, category, categories, hosts, pictures, format
  case messagesPerMinute, longestMessage, mostPending, silence
}

extension LinkDefinition {
  /// The longest file of a link.
  package static let longestFile = 65_536

  /// Reads the file of a link; errors name the position.
  package init(_ bytes: [UInt8]) throws(DocumentError) {
    let document = try PlainDocument(bytes)
    do throws(RequestError) { try self.init(document.value) } catch { throw document.error(error) }
  }

  init(_ value: PlainValue) throws(RequestError) {
    guard case .dictionary(let values) = value else { throw RequestError("", "a link must be a dictionary: { … }") }
    let fields = try LinkFields(values)
    let app = try fields.required(.app) { text throws(RequestError) in try AppID(text) }
    let server = try fields.required(.server) { text throws(RequestError) in try ServerAddress(text) }
    try self.init(
      app: app, server: server,
      topic: try fields.topic(on: server.transport))
    if let transport = try fields.text(.transport), transport != server.transport.rawValue {
      throw RequestError(
        Key.transport.rawValue, "must be '\(server.transport.rawValue)', as the address of the server says")
    }
    send = try fields.parsed(.send) { text throws(RequestError) in
      guard server.transport.sends else {
        throw RequestError("", "needs a server of ntfy: its address begins with https://")
      }
      return try server.transport.checked(topic: text)
    }
    receives = try fields.flag(.receive) ?? receives
    if !receives, send == nil { throw RequestError(Key.receive.rawValue, "needs 'send': the link would do nothing") }
    if receives, send == topic {
      throw RequestError(
        Key.send.rawValue,
        "must be another topic than 'topic', or what is sent would come back; or set 'receive' to false")
    }
    answers = try fields.flag(.answers) ?? false
    if answers { try checkAnswers() }
    secret = try fields.secret(of: server.transport)
    vapid = try fields.parsed(.vapid) { text throws(RequestError) in
      guard server.transport.hasKeys else { throw RequestError("", "is for UnifiedPush only") }
      return try PushSubscription.checked(vapid: text)
    }
    authority = try fields.parsed(.authority) { text throws(RequestError) in
      guard !text.isEmpty else { throw RequestError("", "must be the path of a file with certificates") }
      return text
    }
    clientCertificate = try fields.parsed(.clientCertificate) { text throws(RequestError) in
      guard !text.isEmpty else { throw RequestError("", "must be the path of a file with a certificate and its key") }
      return text
    }
    for (key, file) in [(Key.authority, authority), (.clientCertificate, clientCertificate)]
    where file != nil && !server.isEncrypted {
      throw RequestError(key.rawValue, "needs a server with TLS: https or mqtts")
    }
    levels = try fields.levels() ?? levels
    category = try fields.parsed(.category) { text throws(RequestError) in try CategoryID(text) }
    categories = try fields.texts(.categories)?.map { text throws(RequestError) in
      do throws(RequestError) { return try CategoryID(text) } catch { throw error.about(Key.categories.rawValue) }
    }
    hosts =
      try fields.texts(.hosts)?.map { text throws(RequestError) in
        do throws(RequestError) { return try CallHost(text) } catch { throw error.about(Key.hosts.rawValue) }
      } ?? hosts
    format =
      try fields.parsed(.format) { text throws(RequestError) in
        guard let format = Format(rawValue: text) else { throw RequestError("", "must be 'text' or 'apns'") }
        return format
      } ?? format
    if !hosts.isEmpty { try checkHosts() }
    pictures = try fields.flag(.pictures) ?? false
    if pictures, hosts.isEmpty {
      throw RequestError(Key.pictures.rawValue, "needs 'hosts', the servers that pictures may come from")
    }
    limits.messagesPerMinute =
      try fields.integer(.messagesPerMinute, LinkLimits.messageRange) ?? limits.messagesPerMinute
    limits.longestMessage = try fields.integer(.longestMessage, LinkLimits.sizeRange) ?? limits.longestMessage
    limits.mostPending = try fields.integer(.mostPending, LinkLimits.pendingRange) ?? limits.mostPending
    silence =
      try fields.parsed(.silence) { text throws(RequestError) in
        let duration = try Duration.parse(text)
        guard (.seconds(1) ... .seconds(3600)).contains(duration) else {
          throw RequestError("", "must be a duration from 1s to 1h")
        }
        return duration
      } ?? silence
  }

  private func checkAnswers() throws(RequestError) {
    let key = Key.answers.rawValue
    guard server.transport.answers != .nowhere, receives else {
      throw RequestError(key, "needs a server of ntfy or MQTT, and a link that shows messages")
    }
    guard let answerTopic else { return }
    do throws(RequestError) { _ = try server.transport.checked(topic: answerTopic) } catch {
      throw RequestError(key, "needs a topic of at most 56 characters: the answers are on 'TOPIC-answers'")
    }
    if send == answerTopic { throw RequestError(Key.send.rawValue, "must be another topic than that of the answers") }
  }

  private func checkHosts() throws(RequestError) {
    let key = Key.hosts.rawValue
    guard hosts.count <= 100 else { throw RequestError(key, "must be at most 100 hosts") }
    guard server.transport.hasActions else {
      throw RequestError(key, "needs a server of ntfy: a message of MQTT has no actions")
    }
    guard format == .text else { throw RequestError(key, "needs the format 'text': a payload has no actions") }
    guard category == nil else {
      throw RequestError(
        key, "and 'category' cannot be combined: the buttons are those of the message or those of a category")
    }
  }

  /// The file of the link, without the settings that are usual.
  package var text: String {
    let usual = LinkLimits()
    var lines: [(Key, PlainValue)] = [
      (.app, .text(app.text)), (.server, .text(server.text)),
    ]
    if server.transport.hasTopics { lines.append((.topic, .text(topic))) }
    if let send { lines.append((.send, .text(send))) }
    if !receives { lines.append((.receive, .flag(false))) }
    if answers { lines.append((.answers, .flag(true))) }
    switch secret {
    case .token(.file(let path)): lines.append((.tokenFile, .text(path)))
    case .token(.credential(let name)): lines.append((.tokenCredential, .text(name)))
    case .password(let login, let place):
      lines.append((.login, .text(login)))
      switch place {
      case .file(let path): lines.append((.passwordFile, .text(path)))
      case .credential(let name): lines.append((.passwordCredential, .text(name)))
      }
    case .keys(.file(let path)): lines.append((.keysFile, .text(path)))
    case .keys(.credential(let name)): lines.append((.keysCredential, .text(name)))
    case nil: break
    }
    if let vapid { lines.append((.vapid, .text(vapid))) }
    if let authority { lines.append((.authority, .text(authority))) }
    if let clientCertificate { lines.append((.clientCertificate, .text(clientCertificate))) }
    if levels != Self.usualLevels { lines.append((.levels, .list(levels.map { .text($0.rawValue) }))) }
    if let category { lines.append((.category, .text(category.text))) }
    if let categories { lines.append((.categories, .list(categories.map { .text($0.text) }))) }
    if !hosts.isEmpty { lines.append((.hosts, .list(hosts.map { .text($0.text) }))) }
    if pictures { lines.append((.pictures, .flag(true))) }
    if format != .text { lines.append((.format, .text(format.rawValue))) }
    if limits.messagesPerMinute != usual.messagesPerMinute {
      lines.append((.messagesPerMinute, .integer(Int64(limits.messagesPerMinute))))
    }
    if limits.longestMessage != usual.longestMessage {
      lines.append((.longestMessage, .integer(Int64(limits.longestMessage))))
    }
    if limits.mostPending != usual.mostPending { lines.append((.mostPending, .integer(Int64(limits.mostPending)))) }
    if silence != .seconds(120) { lines.append((.silence, .text(silence.text))) }
    return "{\n" + lines.map { "  \(PlainValue.text($0.rawValue).json): \($1.json)" }.joined(separator: ",\n") + "\n}\n"
  }
}

/// The values of a link's file, each checked once; every error names the key.
private struct LinkFields {
  private let values: [String: PlainValue]

  init(_ values: [String: PlainValue]) throws(RequestError) {
    let known = Key.allCases.map(\.rawValue)
    if let unknown = values.keys.filter({ !known.contains($0) }).min() {
      // People would put it there.
      let advice =
        ["token", "password"].contains(unknown)
        ? "; put it into a file that only you can read, and name that with '\(unknown)File'"
        : unknown.misspelling(ofOneOf: known).map { "; did you mean '\($0)'?" } ?? ""
      throw RequestError(unknown, "is not a known key" + advice, isAboutKey: true)
    }
    self.values = values
  }

  func text(_ key: Key) throws(RequestError) -> String? {
    switch values[key.rawValue] {
    case nil: return nil
    case .text(let text): return text
    default: throw RequestError(key.rawValue, "must be a string")
    }
  }

  func flag(_ key: Key) throws(RequestError) -> Bool? {
    switch values[key.rawValue] {
    case nil: return nil
    case .flag(let flag): return flag
    default: throw RequestError(key.rawValue, "must be true or false")
    }
  }

  func parsed<Result>(
    _ key: Key, _ parse: (String) throws(RequestError) -> Result
  ) throws(RequestError) -> Result? {
    guard let text = try text(key) else { return nil }
    do throws(RequestError) { return try parse(text) } catch { throw error.about(key.rawValue) }
  }

  func required<Result>(
    _ key: Key, _ parse: (String) throws(RequestError) -> Result
  ) throws(RequestError) -> Result {
    guard let value = try parsed(key, parse) else { throw RequestError(key.rawValue, "is missing") }
    return value
  }

  func texts(_ key: Key) throws(RequestError) -> [String]? {
    guard let value = values[key.rawValue] else { return nil }
    guard case .list(let elements) = value, elements.count <= 1000 else {
      throw RequestError(key.rawValue, "must be a list of strings")
    }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      guard case .text(let text) = element else { throw RequestError("\(key.rawValue)[\(index)]", "must be a string") }
      texts.append(text)
    }
    return texts
  }

  func integer(_ key: Key, _ range: ClosedRange<Int>) throws(RequestError) -> Int? {
    guard let value = values[key.rawValue] else { return nil }
    guard case .integer(let integer) = value, let integer = Int(exactly: integer), range.contains(integer) else {
      throw RequestError(key.rawValue, "must be an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  func levels() throws(RequestError) -> [NotificationRequest.Level]? {
    guard let texts = try texts(.levels) else { return nil }
    var levels: Set<NotificationRequest.Level> = []
    for (index, text) in texts.enumerated() {
      guard let level = NotificationRequest.Level(rawValue: text) else {
        let known = NotificationRequest.Level.allCases.map(\.rawValue)
        throw RequestError("levels[\(index)]", "must be one of \(known.joined(separator: ", "))")
      }
      levels.insert(level)
    }
    guard !levels.isEmpty else { throw RequestError(Key.levels.rawValue, "must name at least one level") }
    return NotificationRequest.Level.allCases.filter(levels.contains)
  }

  func topic(on transport: Transport) throws(RequestError) -> String {
    let topic = try parsed(.topic) { text throws(RequestError) in
      try transport.checked(topic: text)
    }
    if let topic { return topic }
    guard !transport.hasTopics else { throw RequestError(Key.topic.rawValue, "is missing") }
    return ""
  }

  func secret(of transport: Transport) throws(RequestError) -> LinkSecret? {
    let keys = try place(.keysFile, .keysCredential)
    guard transport.hasKeys else {
      if keys != nil { throw RequestError(Key.keysFile.rawValue, "and 'keysCredential' are for UnifiedPush only") }
      return try secret()
    }
    guard let keys else { throw RequestError(Key.keysFile.rawValue, "is missing; 'suzu link add' makes the keys") }
    if try secret() != nil {
      throw RequestError("login", "and a token are not for UnifiedPush: the distributor signs in")
    }
    return .keys(keys)
  }

  private func secret() throws(RequestError) -> LinkSecret? {
    let token = try place(.tokenFile, .tokenCredential)
    let password = try place(.passwordFile, .passwordCredential)
    let login = try text(.login)
    switch (token, login, password) {
    case (nil, nil, nil): return nil
    case (let token?, nil, nil): return .token(token)
    case (nil, let login?, let password?):
      // A colon would end the name in the header.
      guard (1...255).contains(login.utf8.count), login.utf8.allSatisfy({ $0 > 31 && $0 != 127 && $0 != 58 }) else {
        throw RequestError(Key.login.rawValue, "must be the name of a user, without a colon")
      }
      return .password(login: login, password)
    case (nil, _?, nil): throw RequestError(Key.login.rawValue, "needs 'passwordFile' or 'passwordCredential'")
    case (nil, nil, _?): throw RequestError(Key.login.rawValue, "is missing, the user whose password that is")
    default: throw RequestError(Key.login.rawValue, "and a token cannot be combined")
    }
  }

  private func place(_ file: Key, _ credential: Key) throws(RequestError) -> SecretPlace? {
    let path = try parsed(file) { path throws(RequestError) in
      guard !path.isEmpty else { throw RequestError("", "must be the path of a file") }
      return SecretPlace.file(path)
    }
    let name = try parsed(credential) { name throws(RequestError) in
      guard (1...255).contains(name.utf8.count), !name.contains("/"), name != ".", name != ".." else {
        throw RequestError("", "must be the name of a credential of systemd")
      }
      return SecretPlace.credential(name)
    }
    if path != nil, name != nil {
      throw RequestError(file.rawValue, "and '\(credential.rawValue)' cannot be combined")
    }
    return path ?? name
  }
}
