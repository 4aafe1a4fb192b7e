// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import TestStage

/// Time zones with the rules of 2025 for all years, compiled by `zic`.
///
/// Governments change the rules of real zones, sometimes for the past. A test that expects a certain local time uses
/// these zones; a test that compares with another program may use those of the machine.
public enum FixedZones {
  private static let compiled: Result<TemporaryFolder, any Error> = Result {
    let folder = try TemporaryFolder()
    let file = try folder.write(source, to: "zones")
    let zic = ["/usr/sbin/zic", "/usr/bin/zic"].first { FileManager.default.isExecutableFile(atPath: $0) }
    let done = try RunningProgram.run(
      zic ?? "zic", ["-d", folder.path("zoneinfo"), file], environment: ["PATH": "/usr/sbin:/usr/bin"])
    guard done.status == 0 else { throw TestFailure("zic failed: \(done.errors)") }
    return folder
  }

  /// A folder like `/usr/share/zoneinfo`; programs get it as the variable `TZDIR`.
  public static var folder: String {
    get throws { try compiled.get().path("zoneinfo") }
  }

  /// The file of a zone.
  public static func file(_ name: String) throws -> Data {
    try Data(contentsOf: URL(filePath: try folder + "/" + name))
  }

  private static let source = """
    Rule EU   1996 max - Mar lastSun     1:00u 1:00 S
    Rule EU   1996 max - Oct lastSun     1:00u 0    -
    Rule GB   1996 max - Mar lastSun     1:00u 1:00 BST
    Rule GB   1996 max - Oct lastSun     1:00u 0    GMT
    Rule US   2007 max - Mar Sun>=8      2:00  1:00 D
    Rule US   2007 max - Nov Sun>=1      2:00  0    S
    Rule LH   2008 max - Apr Sun>=1      2:00  0    -
    Rule LH   2008 max - Oct Sun>=1      2:00  0:30 -
    Rule Tr   2005 max - Mar lastSun     1:00u 2:00 +02
    Rule Tr   2004 max - Oct lastSun     1:00u 0    +00
    Rule EG   2023 max - Apr lastFri     0:00  1:00 S
    Rule EG   2023 max - Oct lastThu     24:00 0    -
    Rule CU   2013 max - Mar Sun>=8      0:00s 1:00 D
    Rule CU   2012 max - Nov Sun>=1      0:00s 0    S
    Rule NZ   2007 max - Sep lastSun     2:00s 1:00 D
    Rule NZ   2008 max - Apr Sun>=1      2:00s 0    S
    Rule CH   2007 max - Sep lastSun     2:45s 1:00 -
    Rule CH   2008 max - Apr Sun>=1      2:45s 0    -
    Zone Europe/London        0:00  GB %s
    Zone Europe/Paris         1:00  EU CE%sT
    Zone Europe/Berlin        1:00  EU CE%sT
    Zone Europe/Kyiv          2:00  EU EE%sT
    Zone America/New_York    -5:00  US E%sT
    Zone America/Havana      -5:00  CU C%sT
    Zone Australia/Lord_Howe 10:30  LH %z
    Zone Antarctica/Troll     0:00  Tr %s
    Zone Africa/Cairo         2:00  EG EE%sT
    Zone Asia/Tokyo           9:00  -  JST
    Zone Asia/Kolkata         5:30  -  IST
    Zone Pacific/Auckland    12:00  NZ NZ%sT
    Zone Pacific/Chatham     12:45  CH %z
    Zone Pacific/Honolulu   -10:00  -  HST
    Zone Pacific/Apia       -10:00  -  %z 2011 Dec 29 24:00
                             14:00  -  %z
    Zone Pacific/Kwajalein  -12:00  -  %z 1993 Aug 20 24:00
                             12:00  -  %z
    Zone UTC                  0     -  UTC

    """
}
