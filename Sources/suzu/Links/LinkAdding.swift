// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Links
internal import NotificationModel
internal import SystemFiles

/// `suzu link add`: writes the file of a link, and copies its secret and its authority beside it, where the service can
/// read them.
struct LinkAdding {
  let arguments: Arguments
  private let folders: LinkFolders
  let name: LinkName
  var link: LinkDefinition
  /// What is to be written beside the file of the link.
  var secret: String?
  private var authority: [UInt8]?
  private var identity: [UInt8]?

  init(_ arguments: Arguments, in folders: LinkFolders) throws(CommandError) {
    (self.arguments, self.folders) = (arguments, folders)
    let words = arguments.words
    let isUnifiedPush = arguments.has("unifiedpush")
    guard words.count > (isUnifiedPush ? 1 : 2) else {
      throw .usage("give a name, and the address of a topic: URL" + (words.count == 2 ? ", or --unifiedpush" : ""))
    }
    try arguments.refuseWords(after: isUnifiedPush ? 2 : 3)
    name = try Self.checked(words[1], "the name of a link") { text throws(RequestError) in try LinkName(text) }
    let (server, topic) =
      isUnifiedPush
      ? (try Self.distributor(arguments), "") : try Self.split(words[2], login: arguments.value("login"))
    let app = try Self.checked(arguments.value("app") ?? "dev.suzu.Link.\(name)", "'--app'") {
      text throws(RequestError) in try AppID(text)
    }
    do throws(RequestError) { link = try LinkDefinition(app: app, server: server, topic: topic) } catch {
      throw .data("the topic '\(PrintableText.line(topic, atMost: 80))' \(error.problem)")
    }
    try readSettings()
    if isUnifiedPush {
      try readUnifiedPush()
    } else {
      try readServer()
    }
  }

  private mutating func readServer() throws(CommandError) {
    for flag in ["distributor", "vapid"] where arguments.has(flag) {
      throw .usage("'--\(flag)' needs '--unifiedpush'")
    }
    try readSending()
    try readSecret()
    try readAuthority()
    try readCertificate()
  }

  static func checked<Value>(
    _ text: String, _ what: String, _ read: (String) throws(RequestError) -> Value
  ) throws(CommandError) -> Value {
    do throws(RequestError) { return try read(text) } catch {
      throw .data("\(what) \(error.problem), not '\(PrintableText.line(text, atMost: 80))'")
    }
  }

  /// The address of a topic is that of its server with the topic behind a slash, as ntfy shows it. A topic of MQTT may
  /// have slashes itself, and there is a usual one.
  private static func split(_ url: String, login: String?) throws(CommandError) -> (ServerAddress, String) {
    let isMQTT = url.lowercased().hasPrefix("mqtt://") || url.lowercased().hasPrefix("mqtts://")
    let (address, topic) = isMQTT ? splitMQTT(url) : splitWeb(url)
    guard let address, let topic = topic ?? usualTopic(login) else {
      throw .data(
        "'\(PrintableText.line(url, atMost: 80))' is not the address of a topic, such as "
          + "https://ntfy.example.com/alerts or mqtts://mqtt.example.com/alerts")
    }
    let server = try checked(address, "the server") { text throws(RequestError) in try ServerAddress(text) }
    return (server, topic)
  }

  private static func splitWeb(_ url: String) -> (String?, String?) {
    guard let slash = url.lastIndex(of: "/"), url[..<slash].contains("://"), !url[..<slash].hasSuffix("/") else {
      return (nil, nil)
    }
    return (String(url[..<slash]), String(url[url.index(after: slash)...]))
  }

  private static func splitMQTT(_ url: String) -> (String?, String?) {
    guard let slash = url.drop(while: { $0 != "/" }).dropFirst(2).firstIndex(of: "/") else { return (url, nil) }
    let topic = url[url.index(after: slash)...]
    return (String(url[..<slash]), topic.isEmpty ? nil : String(topic))
  }

  /// The topic of the user of the server, or else of this machine.
  private static func usualTopic(_ login: String?) -> String? {
    (login ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) }).map(MQTTTopic.usual)
  }

  private mutating func readSettings() throws(CommandError) {
    let levels = arguments.all("allow-level")
    if !levels.isEmpty {
      let known = NotificationRequest.Level.allCases
      for level in levels where !known.contains(where: { $0.rawValue == level }) {
        let near = suggestion(for: level, among: known.map(\.rawValue))
        throw .data("'--allow-level \(PrintableText.line(level, atMost: 60))' is not a level\(near)")
      }
      link.levels = known.filter { levels.contains($0.rawValue) }
    }
    link.category = try arguments.value("category").map { text throws(CommandError) in
      try Self.checked(text, "'--category'") { text throws(RequestError) in try CategoryID(text) }
    }
    let allowed = arguments.all("allow-category")
    if !allowed.isEmpty {
      link.categories = try allowed.map { text throws(CommandError) in
        try Self.checked(text, "'--allow-category'") { text throws(RequestError) in try CategoryID(text) }
      }
    }
    link.hosts = try arguments.all("hosts").flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map {
      text throws(CommandError) in
      try Self.checked(String(text), "'--hosts'") { text throws(RequestError) in try CallHost(text) }
    }
    if !link.hosts.isEmpty, link.category != nil {
      throw .usage("'--hosts' and '--category' cannot be combined: the buttons are those of the messages or yours")
    }
    link.pictures = arguments.has("pictures")
    if link.pictures, link.hosts.isEmpty {
      throw .usage("'--pictures' needs '--hosts', the servers that pictures may come from")
    }
    if let format = arguments.value("format") {
      guard let known = LinkDefinition.Format(rawValue: format) else {
        throw .data("'--format \(PrintableText.line(format, atMost: 60))' must be text or apns")
      }
      link.format = known
    }
    if link.format == .text, !allowed.isEmpty {
      throw .usage("'--allow-category' needs '--format apns': a text names no category; use '--category'")
    }
  }

  private mutating func readSending() throws(CommandError) {
    if arguments.has("send-only") {
      if arguments.has("send") { throw .usage("'--send' and '--send-only' cannot be combined") }
      (link.send, link.receives) = (link.topic, false)
      return
    }
    link.answers = arguments.has("answers")
    link.send = try arguments.value("send").map { text throws(CommandError) in
      try Self.checked(text, "'--send'") { text throws(RequestError) in try Transport.ntfy.checked(topic: text) }
    }
    if link.send == link.topic {
      throw .usage(
        "'--send' must be another topic than that of the URL, or what is sent would come back; use --send-only")
    }
  }

  private mutating func readSecret() throws(CommandError) {
    let given = ["token-file", "token-credential", "password-file", "password-credential"].filter(arguments.has)
    if given.count > 1 { throw .usage("'--\(given[0])' and '--\(given[1])' cannot be combined") }
    let login = arguments.value("login")
    guard let kind = given.first, let value = arguments.value(kind) else {
      if login != nil { throw .usage("'--login' needs '--password-file' or '--password-credential'") }
      return
    }
    let isPassword = kind.hasPrefix("password")
    if isPassword, login == nil { throw .usage("'--\(kind)' needs '--login'") }
    if !isPassword, login != nil { throw .usage("'--login' and '--\(kind)' cannot be combined") }
    let place: SecretPlace
    if kind.hasSuffix("file") {
      do throws(SecretError) {
        secret = try SecretPlace.checked(
          try Self.read(value), value == "-" ? "standard input" : "'\(PrintableText.line(value, atMost: 200))'")
      } catch {
        throw .data("\(error)")
      }
      place = .file("\(name).secret")
    } else {
      place = .credential(value)
    }
    link.secret = isPassword ? .password(login: login ?? "", place) : .token(place)
  }

  private static func read(_ file: String) throws(SecretError) -> [UInt8] {
    do throws(CommandError) { return try Console.read(file, atMost: 1 << 20) } catch {
      throw SecretError(error.message)
    }
  }

  private mutating func readAuthority() throws(CommandError) {
    guard let file = arguments.value("authority") else { return }
    guard link.server.isEncrypted else { throw .usage("'--authority' needs a server with TLS: https or mqtts") }
    authority = try Self.read(file, with: Self.certificate, "certificate")
    link.authority = "\(name).pem"
  }

  /// Both go to one file, which is what the service reads.
  private mutating func readCertificate() throws(CommandError) {
    guard let file = arguments.value("client-certificate") else {
      if arguments.has("client-key") { throw .usage("'--client-key' needs '--client-certificate'") }
      return
    }
    guard link.server.isEncrypted else {
      throw .usage("'--client-certificate' needs a server with TLS: https or mqtts")
    }
    var bytes = try Self.read(file, with: Self.certificate, "certificate")
    if let key = arguments.value("client-key") {
      bytes += Array("\n".utf8) + (try Self.read(key, with: Self.key, "private key"))
    } else if !String(decoding: bytes, as: UTF8.self).contains(Self.key) {
      throw .usage("'\(PrintableText.line(file, atMost: 200))' has no private key; name its file with '--client-key'")
    }
    guard !String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED") else {
      throw .data("the key has a password, which the service cannot ask for; remove it with: openssl pkey")
    }
    identity = bytes
    link.clientCertificate = "\(name).identity"
  }

  private static let certificate = "-----BEGIN CERTIFICATE-----"
  private static let key = "PRIVATE KEY-----"

  private static func read(_ file: String, with mark: String, _ what: String) throws(CommandError) -> [UInt8] {
    let bytes = try Console.read(file, atMost: 1 << 20)
    guard String(decoding: bytes, as: UTF8.self).contains(mark) else {
      throw .data("'\(PrintableText.line(file, atMost: 200))' has no \(what) in PEM form")
    }
    return bytes
  }

  func add() throws(CommandError) {
    // What is written is what the service reads; this finds what flags cannot say.
    do throws(DocumentError) { _ = try LinkDefinition(Array(link.text.utf8)) } catch { throw .data(error.problem) }
    try make()
    let path = folders.file(of: name)
    if access(path, F_OK) == 0 {
      throw .data("there is a link '\(name)' already; run 'suzu link remove \(name)' first")
    }
    if let secret { try write(Array((secret + "\n").utf8), "\(name).secret") }
    if let authority { try write(authority, "\(name).pem") }
    if let identity { try write(identity, "\(name).identity") }
    // Last: a running suzu-link takes it up at once.
    try Console.replace(path, with: link.text)
    if LinkProgram.path == nil { Console.warn("link", LinkProgram.missing) }
  }

  /// A file that only the user can read, even if another one was there.
  private func write(_ bytes: [UInt8], _ file: String) throws(CommandError) {
    let path = "\(folders.settings)/\(file)"
    unlink(path)
    do throws(FileError) { try AtomicFile(path).write(bytes) } catch { throw .notWritten(path, "\(error)") }
  }

  private func make() throws(CommandError) {
    var made = ""
    for part in folders.settings.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o700) == 0 { continue }
      let error = Errno.current
      guard error.rawValue == EEXIST || access(made, F_OK) == 0 else { throw .notWritten(made, "\(error)") }
    }
  }
}
