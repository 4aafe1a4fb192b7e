// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// libical, which reads and writes iCalendar ([RFC 5545](https://www.rfc-editor.org/rfc/rfc5545)).
///
/// Loaded only to read or write a calendar, and not linked: with its dependency ICU it would more than double the start
/// time of every `suzu notify`. Hence this table of functions instead of a header; none of them takes an enum value,
/// because those differ between versions of the library.
package final class ICalLibrary {
  /// Why there is no usable library.
  package struct Missing: Error { package let reason: String }

  private typealias Handle = UnsafeMutableRawPointer
  private typealias Text = UnsafePointer<CChar>

  private let newProperty: @convention(c) (Text) -> Handle?
  private let freeProperty: @convention(c) (Handle) -> Void
  private let propertyValue: @convention(c) (Handle) -> Handle?
  private let propertyText: @convention(c) (Handle) -> Text?
  private let valueText: @convention(c) (Handle) -> Text?
  private let valueKind: @convention(c) (Handle) -> Int32
  private let kindName: @convention(c) (Int32) -> Text?
  private let newText: @convention(c) (Text) -> Handle?
  private let valueAsWritten: @convention(c) (Handle) -> UnsafeMutablePointer<CChar>?
  private let freeValue: @convention(c) (Handle) -> Void
  private let newComponent: @convention(c) (Text) -> Handle?
  private let componentAsWritten: @convention(c) (Handle) -> UnsafeMutablePointer<CChar>?
  private let componentErrors: @convention(c) (Handle) -> Int32
  private let freeComponent: @convention(c) (Handle) -> Void
  private let freeBuffer: @convention(c) (UnsafeMutableRawPointer?) -> Void
  private let builtinZone: @convention(c) (Text) -> Handle?
  private let zoneComponent: @convention(c) (Handle) -> Handle?
  /// Nil if libical was built without ICU.
  private let zoneForWindowsName: WindowsZone?

  private typealias WindowsZone =
    @convention(c) (
      UnsafePointer<UInt16>, Int32, Text?, UnsafeMutablePointer<UInt16>, Int32, UnsafeMutablePointer<Int32>
    ) -> Int32

  /// The library stays loaded until the program ends: it has no cleanup function.
  package init() throws(Missing) {
    // `RTLD_LOCAL`, because both this program and ICU contain a C++ library.
    guard let library = dlopen("libical.so.3", RTLD_NOW | RTLD_LOCAL) else {
      throw Missing(
        reason: "libical, which reads and writes calendars, is not installed; get it with: apt install libical3")
    }
    func find<Function>(_ name: String, _ type: Function.Type = Function.self) throws(Missing) -> Function {
      guard let symbol = dlsym(library, name) else {
        throw Missing(reason: "unsupported version of libical: it has no '\(name)'")
      }
      // The types are those in the header of libical 3, which the file name stands for.
      return unsafeBitCast(symbol, to: type)
    }
    newProperty = try find("icalproperty_new_from_string")
    freeProperty = try find("icalproperty_free")
    propertyValue = try find("icalproperty_get_value")
    propertyText = try find("icalproperty_get_value_as_string")
    valueText = try find("icalvalue_get_text")
    valueKind = try find("icalvalue_isa")
    kindName = try find("icalvalue_kind_to_string")
    newText = try find("icalvalue_new_text")
    valueAsWritten = try find("icalvalue_as_ical_string_r")
    freeValue = try find("icalvalue_free")
    newComponent = try find("icalcomponent_new_from_string")
    componentAsWritten = try find("icalcomponent_as_ical_string_r")
    componentErrors = try find("icalcomponent_count_errors")
    freeComponent = try find("icalcomponent_free")
    freeBuffer = try find("icalmemory_free_buffer")
    builtinZone = try find("icaltimezone_get_builtin_timezone")
    zoneComponent = try find("icaltimezone_get_component")
    // ICU, which libical depends on, has its version in the names of its functions.
    zoneForWindowsName = (52..<200).lazy.compactMap { dlsym(library, "ucal_getTimeZoneIDForWindowsID_\($0)") }.first
      .map { unsafeBitCast($0, to: WindowsZone.self) }
    let setErrorsAreFatal: @convention(c) (Int32) -> Void = try find("icalerror_set_errors_are_fatal")
    // By default an error would end the program.
    setErrorsAreFatal(0)
  }

  // MARK: Reading

  /// A parsed property.
  struct Property {
    /// `TEXT`, `DATE`, `DATE-TIME`, `DURATION` …
    let kind: String
    /// Texts without escapes, other values in the library's own notation.
    let value: String
  }

  /// Nil if libical does not understand the line.
  func property(_ line: String) -> Property? {
    guard let property = newProperty(line) else { return nil }
    defer { freeProperty(property) }
    guard let value = propertyValue(property), let kind = kindName(valueKind(value)).map({ String(cString: $0) }),
      let text = kind == "TEXT" ? valueText(value) : propertyText(property)
    else { return nil }
    return Property(kind: kind, value: String(cString: text))
  }

  /// The IANA zone for a name that Windows uses, such as `W. Europe Standard Time`, which Outlook and Exchange write;
  /// nil if that is none. A name that Windows uses for several countries has the zone of the largest one.
  func zone(forWindows name: String) -> String? {
    guard let zoneForWindowsName, name.utf8.count <= 100 else { return nil }
    let capacity: Int32 = 100
    var (id, failure) = ([UInt16](repeating: 0, count: Int(capacity)), Int32(0))
    let length = zoneForWindowsName(Array(name.utf16), Int32(name.utf16.count), nil, &id, capacity, &failure)
    // Warnings are negative.
    guard failure <= 0, (1...capacity).contains(length) else { return nil }
    return String(decoding: id[..<Int(length)], as: UTF16.self)
  }

  // MARK: Writing

  /// The text with iCalendar escapes.
  package func escaped(_ text: String) -> String {
    guard let value = newText(text) else { return "" }
    defer { freeValue(value) }
    return taken(valueAsWritten(value)) ?? ""
  }

  /// The lines of a zone's `VTIMEZONE`; empty if the zone is unknown.
  package func zone(_ name: String) -> [String] {
    guard let zone = builtinZone(name), let component = zoneComponent(zone),
      let text = taken(componentAsWritten(component))
    else { return [] }
    // The library's own TZID has our name at its end.
    return text.split(whereSeparator: \.isNewline).map { $0.hasPrefix("TZID:") ? "TZID:" + name : String($0) }
  }

  /// The lines as a file, folded and with standard line ends; nil if they are invalid.
  package func written(_ lines: [String]) -> String? {
    guard let component = newComponent(lines.joined(separator: "\r\n") + "\r\n") else { return nil }
    defer { freeComponent(component) }
    return componentErrors(component) == 0 ? taken(componentAsWritten(component)) : nil
  }

  private func taken(_ buffer: UnsafeMutablePointer<CChar>?) -> String? {
    guard let buffer else { return nil }
    defer { freeBuffer(buffer) }
    return String(cString: buffer)
  }
}
