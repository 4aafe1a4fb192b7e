// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A raw client that can determine whether the bus has read its messages.
enum RawClient {
  /// `bus` returns an authenticated client with a unique name; `ask` waits until the bus has read everything so far.
  static let prelude =
    RawBusClient.prelude + """
      def bus():
        client = connect()
        read_until(client, b'NameAcquired')
        return client

      # Returns whether the bus has read everything before; False if it has disconnected the client instead.
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
  /// Runs a raw client to its end; returns its output.
  func raw(_ script: String, _ arguments: String...) throws -> String {
    try run(rawClient: RawClient.prelude + script, arguments)
  }
}
