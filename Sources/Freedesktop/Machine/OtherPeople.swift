// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The other people who use this machine at the moment: they can read the command lines of our programs.
public struct OtherPeople: Sendable {
  private let processes: String
  private let people: ClosedRange<UInt32>

  /// - Parameter processes: the folder with one folder for each process, which belongs to its user.
  /// - Parameter people: the user ids of people. Those of services are smaller, those of containers larger.
  public init(processes: String = "/proc", people: ClosedRange<UInt32> = 1000...60_513) {
    self.processes = processes
    self.people = people
  }

  /// Whether a process of another person runs.
  ///
  /// - Parameter user: the user who is not counted; nil means the one of this process.
  public func arePresent(besides user: UInt32? = nil) -> Bool {
    let user = user ?? getuid()
    return Folder(processes).entries().contains { entry in
      guard entry.name.utf8.allSatisfy({ (48...57).contains($0) }),
        let owner = (try? FileStatus("\(processes)/\(entry.name)"))?.owner
      else { return false }
      return owner != user && people.contains(owner)
    }
  }
}
