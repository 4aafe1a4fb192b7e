// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import Testing

/// Tests the limit of descriptors, and the ones reserved for starting programs.
@Suite(.timeLimit(.minutes(1)))
struct DescriptorLimitTests {
  @Test func `No program starts once only reserved descriptors are left, and a started one has the original limit`()
    async
  {
    await #expect(processExitsWith: .success) {
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit(rlim_cur: 200, rlim_max: 400)
      setrlimit(resource, &limit)
      DescriptorLimit.raise(upTo: 300, keeping: 50)
      getrlimit(resource, &limit)
      guard limit.rlim_cur == 300, limit.rlim_max == 400 else { fatalError("raised to \(limit.rlim_cur)") }
      let loop = try EventLoop.onOwnThread(named: "limit")
      let command = ChildProcess.Command(["/bin/sh", "-c", "ulimit -Sn"], input: "", limit: .seconds(20))
      var ending = await ChildProcess.run(command, on: loop)
      guard ending == .exited(0, lastLine: "200") else { fatalError("not the original: \(ending)") }
      var last: Int32 = 0
      while last < 251 { last = dup(0) }
      guard case .notStarted = await ChildProcess.run(command, on: loop) else { fatalError("started with the reserve") }
      for descriptor in 240...last { close(descriptor) }
      ending = await ChildProcess.run(command, on: loop)
      guard ending == .exited(0, lastLine: "200") else { fatalError("not started: \(ending)") }
      exit(0)
    }
  }
}
