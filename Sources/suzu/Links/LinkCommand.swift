// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import Links
internal import NotificationModel

extension Verb {
  static let link = Verb(
    name: "link", synopsis: "[list|add|show|test|remove] [NAME] [URL] [flags]",
    summary: "show messages from ntfy, MQTT 5 or UnifiedPush as notifications",
    flags: [
      Flag("app", "APP", completing: .apps, "name the app of its notifications (default: dev.suzu.Link.NAME)"),
      Flag("token-file", "FILE", completing: .file, "sign in with the token in this file; '-' reads standard input"),
      Flag("token-credential", "ID", "sign in with the token in a credential of systemd"),
      Flag("login", "NAME", "sign in as this user of the server"),
      Flag("password-file", "FILE", completing: .file, "its password is in this file; '-' reads standard input"),
      Flag("password-credential", "ID", "its password is in a credential of systemd"),
      Flag(
        "authority", "FILE", completing: .file,
        "trust only the certificate authorities in this file, instead of the system's"),
      Flag(
        "client-certificate", "FILE", completing: .file,
        "show the server this certificate; its key is in the same file, or in that of --client-key"),
      Flag("client-key", "FILE", completing: .file, "the key of that certificate is in this file"),
      Flag(
        "allow-level", "LEVEL", completing: .words(NotificationRequest.Level.allCases.map(\.rawValue)), isList: true,
        "allow this level; several times for several (default: all but critical)"),
      Flag("category", "ID", completing: .registeredCategories, "give all notifications the buttons of this category"),
      Flag(
        "allow-category", "ID", completing: .registeredCategories, isList: true,
        "let messages name this category; several times for several"),
      Flag(
        "hosts", "HOST,…", isList: true,
        "let messages bring buttons that call these servers, such as home.example.com:8443"),
      Flag("pictures", nil, "fetch the icon and the picture of a message, from the servers of --hosts only"),
      Flag(
        "format", "FORMAT", completing: .words(LinkDefinition.Format.allCases.map(\.rawValue)),
        "read messages as text (the default), or as JSON for Apple's push service: apns"),
      Flag(
        "send", "TOPIC",
        "send what stays unanswered to this topic of the server, with --escalate '30m push'"),
      Flag("answers", nil, "take messages down on all desktops of the topic once they are answered on one"),
      Flag("send-only", nil, "send to the topic of the URL, and show nothing of it"),
      Flag("unifiedpush", nil, "receive over a distributor of UnifiedPush on this desktop, instead of from a URL"),
      Flag("distributor", "NAME", "use this distributor, such as kde (default: the only one)"),
      Flag("vapid", "KEY", "accept only the sender with this public key, if its push server checks that"),
      Flag("json", nil, "print an array of objects, with 'list'"),
    ],
    words: [.words(["list", "add", "show", "test", "remove"]), .nothing],
    notes: [
      "The URL of a topic is https://HOST/TOPIC for ntfy, and mqtts://HOST/TOPIC for MQTT 5, where the topic may be a",
      "filter; without one it is suzu/USER/#.",
      "The program suzu-link, of the package of that name, keeps the connections; systemd starts it as soon as there is",
      "a link. The token or the password is copied to a file that only you can read. A sender cannot bring commands: a",
      "message becomes text, and the buttons are those of a category of yours.",
      "With --unifiedpush, messages are encrypted for this link. 'show' prints what a web-push sender needs: the address,",
      "and the keys. Keep its 'auth' secret.",
    ],
    examples: [
      "suzu link add home https://ntfy.example.com/alerts --token-file token.txt",
      "suzu link add backup https://ntfy.example.com/backups --category backup --allow-level critical --allow-level active",
      "suzu link add house mqtts://mqtt.example.com --login ann --password-file password.txt",
      "suzu link add door https://ntfy.example.com/door --hosts home.example.com",
      "suzu link add phone https://ntfy.example.com/phone --send-only",
      "suzu link add web --unifiedpush",
      "suzu link test home",
      "suzu link list",
      "suzu link remove home",
    ]
  ) { arguments, loop in
    try await LinkCommand(arguments).run(on: loop)
  }
}

/// `suzu link`: sets up the links that the program `suzu-link` runs, and shows their state.
struct LinkCommand {
  private let arguments: Arguments
  private let words: [String]
  private let folders: LinkFolders

  init(_ arguments: Arguments) throws(CommandError) {
    guard let folders = LinkFolders() else {
      throw CommandError(message: "no settings folder: set HOME or XDG_CONFIG_HOME", status: EX_CONFIG)
    }
    self.arguments = arguments
    words = arguments.words
    self.folders = folders
  }

  func run(on loop: EventLoop) async throws -> Int32 {
    let verb = words.first ?? "list"
    if verb != "add" {
      for flag in Verb.link.flags where flag.name != "json" && arguments.has(flag.name) {
        throw CommandError.usage("'--\(flag.name)' is for 'suzu link add'")
      }
    }
    if verb != "list", arguments.has("json") { throw CommandError.usage("'--json' is for 'suzu link list'") }
    switch verb {
    case "list":
      try arguments.refuseWords(after: 1)
      LinkListing(folders).print(isJSON: arguments.has("json"))
    case "add": try LinkAdding(arguments, in: folders).add()
    case "show": try show()
    case "test": return try await test(on: loop)
    case "remove": try await remove(on: loop)
    default:
      let near = suggestion(for: verb, among: ["list", "add", "show", "test", "remove"])
      throw CommandError.usage(
        "'\(PrintableText.line(verb, atMost: 60))' is not one of list, add, show, test and remove\(near)")
    }
    return EX_OK
  }

  /// The link that the second word names, which exists.
  private func existing() throws(CommandError) -> LinkName {
    try arguments.refuseWords(after: 2)
    guard words.count > 1 else { throw .usage("the name of a link is missing") }
    let names = folders.names().links
    guard let name = names.first(where: { $0.text == words[1] }) else {
      let near = suggestion(for: words[1], among: names.map(\.text))
      throw .data("no link has the name '\(PrintableText.line(words[1], atMost: 60))'\(near); see 'suzu link list'")
    }
    return name
  }

  private func test(on loop: EventLoop) async throws -> Int32 {
    let name = try existing()
    guard let program = LinkProgram.path else { throw CommandError.unavailable(LinkProgram.missing) }
    let command = ChildProcess.Command([program, "--test", name.text], limit: .seconds(30))
    switch await ChildProcess.run(command, on: loop) {
    case .exited(EX_OK, let line): Console.print("\(name): \(PrintableText.line(line, atMost: 1000))")
    case .exited(let status, let line):
      throw CommandError(message: "\(name): \(line.replacing("suzu-link: error: ", with: ""))", status: status)
    case .notStarted(let reason): throw CommandError.unavailable("\(program): \(reason)")
    case .timedOut: throw CommandError.unavailable("\(name): the server does not answer within 30s")
    case .signalled, .running: throw CommandError.unavailable("\(name): suzu-link ended without an answer")
    }
    return EX_OK
  }

  /// Prints what a sender needs, in the form that web-push servers take.
  private func show() throws(CommandError) {
    let name = try existing()
    let link: LinkDefinition
    do throws(LinkFileError) { link = try folders.definition(of: name) } catch {
      throw CommandError(message: error.description, status: EX_CONFIG)
    }
    guard case .keys(let place)? = link.secret else {
      throw .data("the link '\(name)' has no address for senders; only one that was added with --unifiedpush has")
    }
    guard let state = LinkState.read(folders.state(of: name)), let endpoint = state.endpoint,
      let publicKey = state.publicKey
    else { throw .unavailable("\(name): no distributor has given the link an address yet; see 'suzu link list'") }
    do throws(SecretError) {
      let keys = try PushKeys(try place.read(in: folders.settings))
      Console.print(PushSubscription(endpoint: endpoint, publicKey: publicKey, keys).plain.json)
    } catch {
      throw CommandError(message: error.description, status: EX_CONFIG)
    }
  }

  private func remove(on loop: EventLoop) async throws(CommandError) {
    let name = try existing()
    // A running suzu-link does this.
    if !RunningLock.isHeld(folders) { await LinkUnregistration(of: name, in: folders)?.send(on: loop) }
    // The link's own file first: without it, nothing uses the others.
    guard unlink(folders.file(of: name)) == 0 else { throw .notWritten(folders.file(of: name)) }
    for kind in ["secret", "pem", "identity"] { unlink("\(folders.settings)/\(name).\(kind)") }
    // A running suzu-link does this, too.
    for file in [folders.state(of: name), folders.session(of: name)] { unlink(file) }
  }
}
