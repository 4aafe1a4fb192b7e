// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// Calls `handler` on the loop's thread when something happens in one of `folders`, which are absolute paths.
  ///
  /// A folder need not be there: it is told as replaced once it is. Files below its own folders are not watched.
  /// Throws where the system gives no descriptor for it.
  public func watch(
    folders: [String], _ handler: @escaping (FolderChange) -> Void
  ) throws(EventLoopError) -> FolderWatch {
    preconditionOnLoop()
    let tree = try FolderTree(handler)
    tree.follow(folders)
    // The tree does not know the loop, which would otherwise keep itself.
    let descriptor = try watch(tree.descriptor, for: .readable) { _ in tree.deliver() }
    return FolderWatch(loop: self, tree: tree, descriptor: descriptor)
  }
}

/// Folders under observation, until ``cancel()``.
public struct FolderWatch: @unchecked Sendable {
  // @unchecked: the tree is touched on the loop's thread only, which every method checks.
  let loop: EventLoop
  let tree: FolderTree
  let descriptor: EventLoop.DescriptorWatch

  /// Watches these from now on, and no others. A folder that was watched before misses nothing.
  public func follow(_ folders: [String]) {
    loop.preconditionOnLoop()
    tree.follow(folders)
  }

  /// Those that cannot be watched at the moment: they are not there, or the system does not let us.
  public var unwatched: [String] {
    loop.preconditionOnLoop()
    return tree.unwatched
  }

  /// Ends it; nothing is told afterwards.
  public func cancel() {
    descriptor.cancel()
    tree.close()
  }
}
