// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests whether other people who use the machine are noticed by their processes.
@Suite struct OtherPeopleTests {
  @Test func `Only a process of another person counts`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("proc")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let user = getuid()
    let everyone = OtherPeople(processes: path, people: 0...70_000)
    #expect(!everyone.arePresent(besides: user + 1))
    // Other folders are no processes.
    try FileManager.default.createDirectory(atPath: path + "/sys", withIntermediateDirectories: true)
    #expect(!everyone.arePresent(besides: user + 1))
    try FileManager.default.createDirectory(atPath: path + "/4711", withIntermediateDirectories: true)
    #expect(everyone.arePresent(besides: user + 1) && !everyone.arePresent(besides: user))
    // The process of a service.
    #expect(!OtherPeople(processes: path, people: 60_000...70_000).arePresent(besides: user + 1))
  }
}
