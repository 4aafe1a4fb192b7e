// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Tells the test what has happened, in lines of a pipe.
final class Lines {
  private let pipe = ProcessInfo.processInfo.environment["APP_LINES"].flatMap { FileHandle(forUpdatingAtPath: $0) }

  func write(_ line: String) { pipe?.write(Data((line + "\n").utf8)) }
}
