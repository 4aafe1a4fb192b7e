// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import TestStage

/// A D-Bus client without a library: it can send what a library refuses to send. It needs Python's standard library
/// only.
public enum RawBusClient {
  /// The beginning of a Python script. `message` makes a message; `connect` authenticates and sends Hello without
  /// reading its answer; `read_until` reads up to a text.
  public static let prelude = """
    import array, os, re, socket, struct, sys

    PATH, INTERFACE, MEMBER, ERROR, REPLY_TO, DESTINATION, SENDER, SIGNATURE, FDS = range(1, 10)
    CALL, REPLY, REFUSAL, SIGNAL = range(1, 5)

    def align(data, size):
      return data + b'\\0' * (-len(data) % size)

    def string(text):
      text = text if isinstance(text, bytes) else text.encode()
      return struct.pack('<I', len(text)) + text + b'\\0'

    def message(kind, serial, fields, body=b'', flags=0, length=None):
      header = b''
      for code, kind_of_field, value in fields:
        header = align(header, 8) + bytes([code, 1]) + kind_of_field.encode() + b'\\0'
        if kind_of_field == 'g':
          header += bytes([len(value)]) + value.encode() + b'\\0'
        elif kind_of_field == 'u':
          header = align(header, 4) + struct.pack('<I', value)
        else:
          header = align(header, 4) + string(value)
      length = len(body) if length is None else length
      start = struct.pack('<cBBBIII', b'l', kind, flags, 1, length, serial, len(header))
      return align(start + header, 8) + body

    def to_bus(member, serial=4000):
      name = 'org.freedesktop.DBus'
      return message(CALL, serial, [
        (PATH, 'o', '/org/freedesktop/DBus'), (INTERFACE, 's', name), (MEMBER, 's', member), (DESTINATION, 's', name)])

    def read_until(client, text):
      data = b''
      while text not in data:
        part = client.recv(65536)
        if not part:
          return None
        data += part
      return data

    def connect():
      client = socket.socket(socket.AF_UNIX)
      client.connect(re.search(r'path=([^,]*)', os.environ['DBUS_SESSION_BUS_ADDRESS']).group(1))
      user = str(os.getuid()).encode().hex().encode()
      for words, answer in (b'\\0AUTH EXTERNAL ' + user, b'OK'), (b'NEGOTIATE_UNIX_FD', b'AGREE_UNIX_FD'):
        client.sendall(words + b'\\r\\n')
        line = read_until(client, b'\\r\\n') or b''
        if not line.startswith(answer): raise SystemExit('the bus answered %r' % line)
      client.sendall(b'BEGIN\\r\\n' + to_bus('Hello', 1))
      return client

    """
}

extension PrivateBus {
  /// Runs a raw client to its end; returns its output.
  public func run(
    rawClient script: String, _ arguments: [String] = [], within limit: Double = 20
  ) throws -> String {
    let result = try RunningProgram.run(
      "/usr/bin/python3", ["-c", script] + arguments, environment: environment, within: limit)
    guard result.status == 0 else { throw TestFailure("the raw client failed: \(result.errors)") }
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
