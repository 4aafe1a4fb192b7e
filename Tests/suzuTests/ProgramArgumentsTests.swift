// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import suzu

/// Tests the arguments that the command gives to Swift's `CommandLine` when it is linked statically. The tests are not,
/// so that `CommandLine` has the runtime's own here.
struct ProgramArgumentsTests {
  @Test func `The arguments are those that the runtime finds on the stack, before a nil`() {
    var count: Int32 = 0
    let list = programArguments(&count)
    #expect((0..<Int(count)).map { list[$0].map { String(cString: $0) } } == CommandLine.arguments)
    #expect(list[Int(count)] == nil)
  }
}
