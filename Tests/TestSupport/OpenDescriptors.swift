// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The descriptors of this process, for tests that compare their number before and after.
public enum OpenDescriptors {
  /// How many are open, without the kinds that the runtime opens at its own times.
  ///
  /// libdispatch creates an epoll, an event and a timer descriptor when its manager thread first runs, on a busy
  /// machine after a test has begun to count; and it sometimes reads /proc/…/stat of its threads.
  public static var count: Int {
    let folder = "/proc/self/fd"
    let links = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    // A link that cannot be read belonged to the descriptor that read the folder.
    return links.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
      .count { link in !link.hasPrefix("/proc/") && !runtimeKinds.contains(link) }
  }

  private static let runtimeKinds: Set<String> = [
    "anon_inode:[eventpoll]", "anon_inode:[eventfd]", "anon_inode:[timerfd]",
  ]
}
