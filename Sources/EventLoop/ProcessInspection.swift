// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// Whether other processes of this process's user may look at it.
public enum ProcessInspection {
  /// Allows it again after a change of the user, which forbids it: programs of the new user must be able to find out
  /// who calls them. Returns whether that worked.
  ///
  /// The new user can then read the memory of this process, so it must hold nothing that only the former user may know.
  @discardableResult
  public static func allow() -> Bool { linux_allow_inspection() == 0 }
}
