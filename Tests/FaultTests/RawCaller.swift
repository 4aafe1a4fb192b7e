// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A raw client of the center. Its messages may be as large, and carry as many descriptors, as the bus allows.
enum RawCaller {
  /// `call` makes a call to the center, or to another `peer`; `Client` is connected, and its `answer` waits for the
  /// answer to a serial and returns `ok` or the name of the error.
  static let prelude =
    RawBusClient.prelude + """
      peer = 'dev.suzu.Center'

      def call(serial, member, signature, body, interface='dev.suzu.Center1', fds=0, flags=0):
        fields = [(PATH, 'o', '/dev/suzu/Center'), (INTERFACE, 's', interface), (MEMBER, 's', member),
                  (DESTINATION, 's', peer)]
        if signature: fields.append((SIGNATURE, 'g', signature))
        if fds: fields.append((FDS, 'u', fds))
        return message(CALL, serial, fields, body, flags)

      # An array whose length stands before it, at a place of the body that is a multiple of `before`.
      def listing(elements, size=8, before=0):
        start = align(b'\\0' * (before + 4), size)[before + 4:]
        return struct.pack('<I', len(elements)) + start + elements

      class Client:
        def __init__(self):
          self.socket = connect()
          self.data = b''
          self.answer(1)

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

  /// Runs a script to its end; returns its output.
  static func run(_ script: String, on bus: PrivateBus) throws -> String {
    try bus.run(rawClient: prelude + script, within: 120)
  }
}
