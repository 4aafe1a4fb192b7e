// SPDX-License-Identifier: Apache-2.0

/// The abbreviations that people write instead of the name of a zone: `CEST`, `PST`. Most are no names in the database,
/// and several zones share each.
package enum ZoneAbbreviation {
  /// A zone with a city whose clocks show this abbreviation; nil if it is not a well-known one.
  package static func city(of text: String) -> String? { cities[text.uppercased()] }

  private static let cities = [
    "CEST": "Europe/Berlin", "EEST": "Europe/Athens", "WEST": "Europe/Lisbon", "BST": "Europe/London",
    "IST": "Asia/Kolkata", "MSK": "Europe/Moscow", "TRT": "Europe/Istanbul",
    // The database has zones with some of these names, which know no summer time.
    "EST": "America/New_York", "MST": "America/Denver", "HST": "Pacific/Honolulu",
    "EDT": "America/New_York", "CST": "America/Chicago", "CDT": "America/Chicago", "MDT": "America/Denver",
    "PST": "America/Los_Angeles", "PDT": "America/Los_Angeles", "AKST": "America/Anchorage",
    "AKDT": "America/Anchorage", "HDT": "America/Adak", "AST": "America/Halifax", "ADT": "America/Halifax",
    "NST": "America/St_Johns", "NDT": "America/St_Johns", "BRT": "America/Sao_Paulo",
    "ART": "America/Argentina/Buenos_Aires", "CLT": "America/Santiago",
    "JST": "Asia/Tokyo", "KST": "Asia/Seoul", "HKT": "Asia/Hong_Kong", "SGT": "Asia/Singapore", "WIB": "Asia/Jakarta",
    "PKT": "Asia/Karachi", "IDT": "Asia/Jerusalem", "GST": "Asia/Dubai",
    "SAST": "Africa/Johannesburg", "CAT": "Africa/Maputo", "EAT": "Africa/Nairobi", "WAT": "Africa/Lagos",
    "AEST": "Australia/Sydney", "AEDT": "Australia/Sydney", "ACST": "Australia/Adelaide",
    "ACDT": "Australia/Adelaide", "AWST": "Australia/Perth", "NZST": "Pacific/Auckland", "NZDT": "Pacific/Auckland",
  ]
}
