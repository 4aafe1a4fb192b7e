// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A caller of the center without a library: its messages are as large, and carry as many descriptors, as the bus
/// passes. Python's standard library is all it needs.
enum RawCaller {
  /// `bus()` is authenticated and has said hello, `call` makes a call to the center, `answer` waits for the answer to a
  /// serial and returns `ok` or the name of the error.
  static let prelude = """
    import array, os, re, socket, struct, sys

    PATH, INTERFACE, MEMBER, ERROR, REPLY_TO, DESTINATION, SENDER, SIGNATURE, FDS = range(1, 10)
    CENTER = 'dev.suzu.Center'

    def align(data, size):
      return data + b'\\0' * (-len(data) % size)

    def string(text):
      return struct.pack('<I', len(text)) + text.encode() + b'\\0'

    def message(serial, fields, body=b'', flags=0):
      header = b''
      for code, kind, value in fields:
        header = align(header, 8) + bytes([code, 1]) + kind.encode() + b'\\0'
        if kind == 'g':
          header += bytes([len(value)]) + value.encode() + b'\\0'
        elif kind == 'u':
          header = align(header, 4) + struct.pack('<I', value)
        else:
          header = align(header, 4) + string(value)
      start = struct.pack('<cBBBIII', b'l', 1, flags, 1, len(body), serial, len(header))
      return align(start + header, 8) + body

    def call(serial, member, signature, body, interface='dev.suzu.Center1', fds=0, flags=0):
      fields = [(PATH, 'o', '/dev/suzu/Center'), (INTERFACE, 's', interface), (MEMBER, 's', member),
                (DESTINATION, 's', CENTER)]
      if signature: fields.append((SIGNATURE, 'g', signature))
      if fds: fields.append((FDS, 'u', fds))
      return message(serial, fields, body, flags)

    # An array whose length stands before it, at a place of the body that is a multiple of `before`.
    def listing(elements, size=8, before=0):
      start = align(b'\\0' * (before + 4), size)[before + 4:]
      return struct.pack('<I', len(elements)) + start + elements

    class Client:
      def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.data = b''
        self.socket.connect(re.search(r'path=([^,]*)', os.environ['DBUS_SESSION_BUS_ADDRESS']).group(1))
        self.socket.sendall(b'\\0AUTH EXTERNAL ' + str(os.getuid()).encode().hex().encode() + b'\\r\\n')
        self.line(b'OK')
        self.socket.sendall(b'NEGOTIATE_UNIX_FD\\r\\n')
        self.line(b'AGREE_UNIX_FD')
        name = 'org.freedesktop.DBus'
        self.socket.sendall(b'BEGIN\\r\\n' + message(1, [
          (PATH, 'o', '/org/freedesktop/DBus'), (INTERFACE, 's', name), (MEMBER, 's', 'Hello'),
          (DESTINATION, 's', name)]))
        self.answer(1)

      def line(self, text):
        while b'\\r\\n' not in self.data or text not in self.data: self.more()
        self.data = self.data.split(b'\\r\\n', 1)[1]

      def more(self):
        part = self.socket.recv(65536)
        if not part: raise SystemExit('the bus has closed the connection')
        self.data += part

      def messages(self):
        while True:
          while len(self.data) < 16: self.more()
          kind, = struct.unpack('<xBxx', self.data[:4])
          body, serial, fields = struct.unpack('<III', self.data[4:16])
          length = 16 + fields + (-fields % 8) + body
          while len(self.data) < length: self.more()
          whole, self.data = self.data[:length], self.data[length:]
          yield kind, whole[16:16 + fields], whole[length - body:]

      # `ok`, or the name of the error; of the serials the first that comes.
      def answer(self, *serials):
        for kind, fields, body in self.messages():
          found = fields.find(bytes([REPLY_TO, 1]) + b'u\\0')
          if kind not in (2, 3) or found < 0: continue
          serial, = struct.unpack('<I', fields[found + 4:found + 8])
          if serial not in serials: continue
          if kind == 2: return 'ok'
          name = re.search(rb'[a-z]+(\\.[A-Za-z]+)+', fields).group(0).decode().split('.')[-1]
          return name + ': ' + body[4:-1].decode()

    """

  /// Runs such a script to its end, and returns what it printed.
  static func run(_ script: String, on bus: PrivateBus) throws -> String {
    let result = try RunningProgram.run(
      "/usr/bin/python3", ["-c", prelude + script], environment: bus.environment, within: 120)
    #expect(result.status == 0, "\(result.errors)")
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
