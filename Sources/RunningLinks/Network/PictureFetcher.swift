// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import Links
internal import SystemFiles

/// Fetches the pictures of the messages of one link, and keeps the newest ones in files.
///
/// Confined to the loop's thread.
final class PictureFetcher {
  private let name: LinkName
  private let folder: String
  private let transfers: Transfers
  private let loop: EventLoop
  private let limit: Duration
  /// The host of the link's own server, and the only authorities that count for it.
  private let own: (host: CallHost?, authority: String?)
  private var hasComplained = false

  /// How many files a link keeps.
  private static let mostFiles = 64

  /// - Parameters:
  ///   - authority: the file with the authorities of the link's own server; nil for those of the system.
  ///   - limit: how long a picture may take: its message waits for it.
  init(
    _ name: LinkName, of link: LinkDefinition, authority: String?, in folders: LinkFolders, _ transfers: Transfers,
    limit: Duration, on loop: EventLoop
  ) {
    (self.name, folder) = (name, folders.pictures(of: name))
    own = (CallHost(of: link.server.text), authority)
    (self.transfers, self.limit, self.loop) = (transfers, limit, loop)
  }

  /// The files of a message's pictures. One that cannot be fetched is left out.
  func files(of pictures: [LinkPicture]) async -> [LinkPicture.Kind: String] {
    var files: [LinkPicture.Kind: String] = [:]
    for picture in pictures {
      switch await bytes(of: picture) {
      case .success(let bytes): files[picture.kind] = keep(bytes, picture.kind)
      case .failure(let failure): complain(failure.problem)
      }
    }
    return files
  }

  /// Nothing of the link goes with it: no token, no certificate. Redirects are not followed.
  private func bytes(of picture: LinkPicture) async -> Result<[UInt8], TransferFailure> {
    do throws(TransferFailure) {
      let transfer = try Transfer(
        Transfer.Request(
          url: picture.url, server: picture.server, authority: picture.host == own.host ? own.authority : nil,
          certificate: nil))
      var bytes: [UInt8] = []
      var isTooLong = false
      transfer.whenRead = { [weak transfer, loop, transfers] part in
        if isTooLong { return true }
        if bytes.count + part.count <= LinkPicture.longest {
          bytes += part
        } else {
          isTooLong = true
          // libcurl cannot be told so from its own call.
          loop.performNext { if let transfer { Self.end(transfer, transfers) } }
        }
        return true
      }
      let deadline = loop.schedule(after: limit) { [weak transfer, transfers] in
        if let transfer { Self.end(transfer, transfers) }
      }
      defer { deadline.cancel() }
      switch await transfers.end(of: transfer) {
      case .answered where isTooLong: throw Self.tooLong
      case .answered(200, _): return .success(bytes)
      case .answered(let status, _): throw TransferFailure(problem: "the server answered with HTTP \(status)")
      case .failed(let failure): throw isTooLong ? Self.tooLong : failure
      }
    } catch {
      return .failure(error)
    }
  }

  private static let tooLong = TransferFailure(problem: "it has more than \(LinkPicture.longest >> 10) KiB")

  private static func end(_ transfer: Transfer, _ transfers: Transfers) {
    transfers.stop(transfer)
    let ended = transfer.whenEnded
    transfer.whenEnded = { _ in }
    ended(.failed(TransferFailure(problem: "the server does not answer")))
  }

  // MARK: Files

  private func keep(_ bytes: [UInt8], _ kind: LinkPicture.Kind) -> String? {
    guard let suffix = LinkPicture.suffix(of: bytes) else {
      complain("it is neither a PNG nor a JPEG")
      return nil
    }
    mkdir(Folder.parent(of: folder).path, 0o700)
    mkdir(folder, 0o700)
    // In the order of their times.
    let date = EventLoop.Clock.wall.now / .milliseconds(1)
    let path = "\(folder)/\(Int64(date))-\(kind.rawValue).\(suffix)"
    do throws(FileError) { try AtomicFile(path).write(bytes) } catch {
      complain("\(error)")
      return nil
    }
    for old in Folder(folder).entries(atMost: 10_000).map(\.name).sorted().dropLast(Self.mostFiles) {
      unlink("\(folder)/\(old)")
    }
    return path
  }

  /// Removes all pictures of a link that has gone.
  static func removeAll(of name: LinkName, in folders: LinkFolders) {
    let folder = folders.pictures(of: name)
    for entry in Folder(folder).entries(atMost: 10_000) { unlink("\(folder)/\(entry.name)") }
    rmdir(folder)
  }

  /// Once: a server that is away would fill the journal.
  private func complain(_ problem: String) {
    if !hasComplained { LinkLog.warning(name.text, "a picture of a message was not fetched: \(problem)") }
    hasComplained = true
  }
}
