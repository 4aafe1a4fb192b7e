// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A client of the bus without a library: it can send what no library would. Python's standard library is all it needs.
enum RawClient {
  /// `bus()` is authenticated and has said hello; `message` makes one, `ask` sends it and waits for the bus to have
  /// read everything so far.
  static let prelude = """
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

    def bus():
      client = socket.socket(socket.AF_UNIX)
      client.connect(re.search(r'path=([^,]*)', os.environ['DBUS_SESSION_BUS_ADDRESS']).group(1))
      client.sendall(b'\\0AUTH EXTERNAL ' + str(os.getuid()).encode().hex().encode() + b'\\r\\n')
      read_until(client, b'OK')
      client.sendall(b'NEGOTIATE_UNIX_FD\\r\\n')
      read_until(client, b'AGREE_UNIX_FD')
      client.sendall(b'BEGIN\\r\\n' + to_bus('Hello', 1))
      read_until(client, b'NameAcquired')
      return client

    # Whether the bus has read everything before it; False where it has thrown us out instead.
    def ask(client, serial=4321):
      try:
        client.sendall(to_bus('GetId', serial))
        answer = bytes([REPLY_TO, 1]) + b'u\\0' + struct.pack('<I', serial)
        return read_until(client, answer) is not None
      except OSError:
        return False

    """
}

extension PrivateBus {
  /// Runs a raw client to its end, and returns what it printed.
  func raw(_ script: String, _ arguments: String...) throws -> String {
    let result = try RunningProgram.run(
      "/usr/bin/python3", ["-c", RawClient.prelude + script] + arguments, environment: environment)
    #expect(result.status == 0, "\(result.errors)")
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
