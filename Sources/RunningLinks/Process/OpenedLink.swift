// SPDX-License-Identifier: Apache-2.0
package import Links

/// A link with what its file names: how to sign in, and the files for TLS.
struct OpenedLink {
  let name: LinkName
  let link: LinkDefinition
  let folders: LinkFolders
  let credentials: Transfer.Credentials?
  let files: LinkFiles

  init(_ name: LinkName, _ link: LinkDefinition, in folders: LinkFolders) throws(SecretError) {
    (self.name, self.link, self.folders) = (name, link, folders)
    credentials =
      switch link.secret {
      case .token(let place): .token(try place.read(in: folders.settings))
      case .password(let login, let place): .password(login: login, try place.read(in: folders.settings))
      // They go nowhere: the distributor signs in.
      case .keys, nil: nil
      }
    files = try LinkFiles(of: link, in: folders)
  }
}

/// The files for TLS that a link names: like a secret, relative to the folder of the links.
package struct LinkFiles {
  let authority: String?
  /// With its key, which others may not read.
  let certificate: String?

  package init(of link: LinkDefinition, in folders: LinkFolders) throws(SecretError) {
    func path(_ text: String) -> String { text.hasPrefix("/") ? text : "\(folders.settings)/\(text)" }
    authority = link.authority.map(path)
    certificate = link.clientCertificate.map(path)
    if let certificate { try SecretPlace.checkIsPrivate(certificate) }
  }
}
