// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests pages that stay open while the clock or the zone of the machine is changed.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct ClockTests {
  /// The time of a process, moved by the seconds that a file says.
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <time.h>
    time_t time(time_t *result) {
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      long shift = 0;
      FILE *file = fopen(getenv("SHIFT_FILE"), "re");
      if (file) { if (fscanf(file, "%ld", &shift) != 1) shift = 0; fclose(file); }
      time_t moved = now.tv_sec + shift;
      if (result) *result = moved;
      return moved;
    }
    """

  @Test(.enabled(if: RunningProgram.path(of: "cc") != nil))
  func `After a jump of the clock, an open page speaks of the days as they are then`() throws {
    let stage = try WindowStage(opens: false)
    let folder = stage.session.folder
    let library = try PreloadedLibrary.build(Self.source, named: "clock", in: folder)
    #expect(try stage.session.suzu("notify", "Tea", "--at", "2999-05-02 09:00").status == 0)
    let day = 86_400
    let target = try #require(ISO8601DateFormatter().date(from: "2999-05-02T09:00:00Z")).timeIntervalSince1970
    let toTarget = Int(target - Date().timeIntervalSince1970)
    try folder.write("0", to: "shift")
    try stage.open(["LD_PRELOAD": library, "SHIFT_FILE": folder.path("shift")])
    try stage.see(containing: "Tea, Thursday, 2 May 2999 09:00, ")
    // The page is written anew every 15 seconds.
    func see(_ text: String, after shift: Int) throws {
      try folder.write("\(shift)", to: "shift")
      try stage.wait(for: text, within: 40) { nodes in nodes.contains { $0.name.contains(text) } ? () : nil }
    }
    try see("Tea, Tomorrow 09:00, in ", after: toTarget - day)
    try see("Tea, Today 09:00, in 1 h", after: toTarget - 3600)
    // Backwards as well, and before everything.
    try see("Tea, Thursday, 2 May 2999 09:00, ", after: -400 * day)
  }

  @Test func `In another zone, an open page says the same moments in the time of that zone`() throws {
    let place = try TemporaryFolder()
    func move(to zone: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: place.path("new"), withDestinationPath: try FixedZones.folder + "/" + zone)
      #expect(rename(place.path("new"), place.path("zone")) == 0)
    }
    try move(to: "Asia/Kolkata")
    let stage = try WindowStage(opens: false, variables: ["TZ": ":" + place.path("zone")])
    #expect(try stage.session.suzu("notify", "Tea", "--at", "2999-05-02T12:00:00Z").status == 0)
    try stage.open()
    try stage.see(containing: "Tea, Thursday, 2 May 2999 17:30, ")
    try move(to: "Asia/Tokyo")
    try stage.wait(for: "another time of day", within: 40) { nodes in
      nodes.contains { $0.name.contains("Tea, Thursday, 2 May 2999 21:00, ") } ? () : nil
    }
    // Its own requests are in the new zone, too.
    try stage.keys("ctrl+n")
    try stage.awaitWindow("New request")
    try stage.write("Cake", into: "Title")
    try stage.write("2999-05-02 21:30", into: "When")
    try stage.press("Schedule")
    try stage.see(containing: "Cake, Thursday, 2 May 2999 21:30, ")
  }
}
