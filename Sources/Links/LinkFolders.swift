// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// The folders of links: what the user has set up, and what `suzu-link` knows of it.
package struct LinkFolders: Hashable, Sendable {
  /// The files of the links, with their secrets: `$XDG_CONFIG_HOME/suzu/links.d`.
  package let settings: String
  /// The states of the links: `$XDG_STATE_HOME/suzu/links`.
  package let states: String

  /// The folders of the user; nil without a home.
  package init?(environment: (String) -> String? = EnvironmentVariable.value) {
    func path(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let home = path("HOME")
    guard let config = path("XDG_CONFIG_HOME") ?? home.map({ $0 + "/.config" }),
      let state = path("XDG_STATE_HOME") ?? home.map({ $0 + "/.local/state" })
    else { return nil }
    settings = config + "/suzu/links.d"
    states = state + "/suzu/links"
  }

  /// The file of a link.
  package func file(of name: LinkName) -> String { "\(settings)/\(name).json" }
  /// The state of a link.
  package func state(of name: LinkName) -> String { "\(states)/\(name).json" }
  /// The latest session of a link with a server of MQTT: ``MQTTSession/keep(in:)``.
  package func session(of name: LinkName) -> String { "\(states)/\(name).session" }
  /// The folder with the pictures of the messages of a link.
  package func pictures(of name: LinkName) -> String { "\(states)/pictures/\(name)" }
  /// The file that `suzu-link` holds locked while it runs.
  package var lock: String { "\(states)/running.lock" }

  /// The most links of a user.
  package static let mostLinks = 100

  /// The links, by name, and the names of files that cannot be links.
  package func names() -> (links: [LinkName], others: [String]) {
    var links: [LinkName] = []
    var others: [String] = []
    for entry in Folder(settings).entries(atMost: 10_000) where entry.name.hasSuffix(".json") {
      let text = String(entry.name.dropLast(5))
      // What an interrupted replacement has left, and what editors hide.
      if text.isEmpty || text.hasPrefix(".") { continue }
      if let name = try? LinkName(text) { links.append(name) } else { others.append(entry.name) }
    }
    return (Array(links.sorted().prefix(Self.mostLinks)), others.sorted())
  }

  /// Reads the file of a link; the error says where it is wrong.
  package func definition(of name: LinkName) throws(LinkFileError) -> LinkDefinition {
    let path = file(of: name)
    let bytes: [UInt8]
    do throws(FileError) { bytes = try RegularFile.read(path, limit: LinkDefinition.longestFile) } catch {
      throw LinkFileError("\(path): \(error)")
    }
    do { return try LinkDefinition(bytes) } catch { throw LinkFileError("\(path): \(error)") }
  }
}

/// Why the file of a link cannot be used.
package struct LinkFileError: Error, Hashable, CustomStringConvertible {
  /// One line with the path.
  package let description: String
  init(_ description: String) { self.description = description }
}
