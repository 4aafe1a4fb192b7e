// SPDX-License-Identifier: Apache-2.0

/// The sequences of kitty's graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol/), which several
/// terminals have.
enum KittyGraphics {
  /// The id of the question, which the answer repeats.
  static let question = 0x5355_5A00
  /// Asks whether the terminal knows the protocol: a picture of one pixel that is not kept.
  static let query = "\u{1B}_Gi=\(question),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
  /// Removes all pictures that are on the screen.
  static let clear = Array("\u{1B}_Ga=d,d=A,q=2\u{1B}\\".utf8)

  /// The longest payload of one sequence.
  private static let longestPayload = 4096

  /// The id of a picture of this process, apart from those that other programs on this terminal may use. Zero means
  /// none.
  static func id(_ number: UInt32) -> UInt32 { 0x5355_5B00 &+ number % 0x1000_0000 }

  /// Gives the terminal a picture; `q=2` turns its answers off.
  static func transmission(of image: PopupImage, id: UInt32) -> [UInt8] {
    let (keys, data) =
      switch image {
      case .pixels(let pixels): ("f=32,s=\(pixels.width),v=\(pixels.height)", pixels.packed)
      case .png(let file): ("f=100", file.bytes)
      }
    var output: [UInt8] = []
    var rest = data[...]
    let piece = longestPayload / 4 * 3
    var isFirst = true
    repeat {
      let part = rest.prefix(piece)
      rest = rest.dropFirst(piece)
      let more = rest.isEmpty ? 0 : 1
      let control = isFirst ? "a=t,q=2,i=\(id),t=d,\(keys),m=\(more)" : "q=2,m=\(more)"
      output += Array("\u{1B}_G\(control);\(Base64.encoded(part))\u{1B}\\".utf8)
      isFirst = false
    } while !rest.isEmpty
    return output
  }

  /// Shows a picture in as many cells from the cursor on, which stays (`C=1`).
  static func placement(of id: UInt32, _ cells: ImageCells) -> [UInt8] {
    Array("\u{1B}_Ga=p,q=2,i=\(id),p=1,c=\(cells.columns),r=\(cells.rows),C=1\u{1B}\\".utf8)
  }

  /// Removes a picture from the screen; the terminal keeps its data, unless `frees`.
  static func removal(of id: UInt32, frees: Bool) -> [UInt8] {
    Array("\u{1B}_Ga=d,d=\(frees ? "I" : "i"),q=2,i=\(id)\u{1B}\\".utf8)
  }
}
