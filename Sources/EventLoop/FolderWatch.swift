// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// Calls `handler` on the loop's thread for each change in one of `folders`, which are absolute paths.
  ///
  /// A folder need not exist: it is reported as replaced when it is created. Files in subfolders are not watched.
  /// Throws if the system has no descriptor left.
  public func watch(
    folders: [String], _ handler: @escaping (FolderChange) -> Void
  ) throws(EventLoopError) -> FolderWatch {
    preconditionOnLoop()
    let tree = try FolderTree(handler)
    tree.follow(folders)
    // The tree does not refer to the loop, which would otherwise retain itself.
    let descriptor = try watch(tree.descriptor, for: .readable) { _ in tree.deliver() }
    return FolderWatch(loop: self, tree: tree, descriptor: descriptor)
  }
}

/// Watched folders, until ``cancel()``.
public struct FolderWatch: @unchecked Sendable {
  // @unchecked: the tree is used on the loop's thread only, which every method checks.
  let loop: EventLoop
  let tree: FolderTree
  let descriptor: EventLoop.DescriptorWatch

  /// Replaces the watched folders. Folders that were watched before miss no change.
  public func follow(_ folders: [String]) {
    loop.preconditionOnLoop()
    tree.follow(folders)
  }

  /// The folders that cannot be watched at present, because they do not exist or are inaccessible.
  public var unwatched: [String] {
    loop.preconditionOnLoop()
    return tree.unwatched
  }

  /// Ends the watch; the handler is not called any more.
  public func cancel() {
    descriptor.cancel()
    tree.close()
  }
}
