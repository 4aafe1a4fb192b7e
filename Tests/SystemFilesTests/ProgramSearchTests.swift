// SPDX-License-Identifier: Apache-2.0
import Glibc
import SystemFiles
import TestSupport
import Testing

/// The one rule by which programs are found.
struct ProgramSearchTests {
  @Test func `The first executable regular file counts`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "one/tea")
    #expect(mkdir(folder.path("two"), 0o700) == 0 && mkdir(folder.path("two/tea"), 0o700) == 0)
    let tea = try folder.write("", to: "three/tea", executable: true)
    try folder.write("", to: "four/tea", executable: true)
    let search = ProgramSearch(path: ["one", "two", "three", "four"].map(folder.path).joined(separator: ":"))
    #expect(search.path(of: "tea") == tea && search.path(of: "coffee") == nil && search.path(of: "") == nil)
  }

  // Two of the searches that this one replaced looked in the working folder.
  @Test func `Empty and relative folders are ignored`() {
    #expect(ProgramSearch(path: ":.:bin:../bin:/usr/bin::").folders == ["/usr/bin"])
    #expect(ProgramSearch(path: "").folders == [])
    #expect(ProgramSearch(path: nil).folders == ["/usr/local/bin", "/usr/bin", "/bin"])
  }

  @Test func `A name with a slash is an absolute path`() {
    let search = ProgramSearch(path: "/bin")
    #expect(search.path(of: "/bin/sh") == "/bin/sh" && search.path(of: "/bin") == nil)
    #expect(search.path(of: "../bin/sh") == nil && search.path(of: "./sh") == nil)
  }

  // In a process of its own: other tests read its environment. 'suzu run' sets the variable.
  @Test func `A later value of PATH counts`() async {
    await #expect(processExitsWith: .success) {
      #expect(ProgramSearch.current.path(of: "sh") != nil)
      setenv("PATH", "/folder/that/does/not/exist", 1)
      #expect(ProgramSearch.current.path(of: "sh") == nil)
      unsetenv("PATH")
      #expect(ProgramSearch.current.folders == ["/usr/local/bin", "/usr/bin", "/bin"])
    }
  }
}
