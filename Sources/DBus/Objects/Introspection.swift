// SPDX-License-Identifier: Apache-2.0

/// Generates XML for `gdbus introspect` and `busctl introspect`.
enum Introspection {
  private static let head = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

    """

  static func document(of interfaces: [Interface], children: [String]) -> String {
    var xml = head + "<node>\n"
    for interface in interfaces { xml += element(of: interface) }
    for child in children { xml += "  <node name=\"\(child)\"/>\n" }
    return xml + "</node>\n"
  }

  static func element(of interface: Interface) -> String {
    var xml = "  <interface name=\"\(interface.name)\">\n"
    for method in interface.methods {
      xml += element(
        "method", method.name, arguments: arguments(method.inputs, "in") + arguments(method.outputs, "out"))
    }
    for signal in interface.signals {
      xml += element("signal", signal.name, arguments: arguments(signal.arguments, nil))
    }
    for property in interface.properties { xml += element(of: property) }
    return xml + "  </interface>\n"
  }

  private static func element(_ kind: String, _ name: MemberName, arguments: [String]) -> String {
    let start = "    <\(kind) name=\"\(name)\""
    if arguments.isEmpty { return start + "/>\n" }
    return start + ">\n" + arguments.joined() + "    </\(kind)>\n"
  }

  private static func arguments(_ arguments: [Argument], _ direction: String?) -> [String] {
    arguments.map {
      "      <arg name=\"\(escaped($0.name))\" type=\"\($0.type)\""
        + (direction.map { " direction=\"\($0)\"" } ?? "") + "/>\n"
    }
  }

  private static func element(of property: Property) -> String {
    let start =
      "    <property name=\"\(property.name)\" type=\"\(property.type)\" "
      + "access=\"\(property.setter == nil ? "read" : "readwrite")\""
    if property.changes == .announced { return start + "/>\n" }
    return start + ">\n"
      + "      <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(property.changes.rawValue)\"/>\n"
      + "    </property>\n"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }
}
