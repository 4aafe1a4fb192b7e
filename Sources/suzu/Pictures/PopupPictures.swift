// SPDX-License-Identifier: Apache-2.0

/// The pictures of the open popups, and the bytes that draw them.
struct PopupPictures {
  private struct Kept {
    let number: UInt32
    let image: PopupImage
  }

  /// The bytes of all pictures together; a popup that comes while they are used up has none.
  static let most = 32 << 20

  private var kept: [UInt32: Kept] = [:]
  private var cost = 0
  private var lastNumber: UInt32 = 0

  /// How the terminal draws; nil for not at all.
  var way: GraphicsProtocol? {
    didSet {
      guard way == .sixel, oldValue != .sixel else { return }
      for (id, kept) in kept { set(kept.image, of: id) }
    }
  }
  var cell = CellSize.usual {
    didSet { if cell != oldValue { sixels = [:] } }
  }
  var colours = SixelEncoder.colours.upperBound {
    didSet { if colours != oldValue { sixels = [:] } }
  }

  /// The pictures that the terminal has (kitty), by number.
  private var sent: Set<UInt32> = []
  /// Those of them that no popup has any more.
  private var gone: Set<UInt32> = []
  /// The sequences of the pictures on the screen (sixel), by number.
  private var sixels: [UInt32: [UInt8]] = [:]

  // MARK: Popups

  /// Replaces the picture of a popup. Sixels are made of pixels, so a damaged file is found here.
  mutating func set(_ image: PopupImage?, of id: UInt32) {
    remove(id)
    guard let image = way == .sixel ? image?.decoded : image, cost + image.cost <= Self.most else { return }
    lastNumber &+= 1
    cost += image.cost
    kept[id] = Kept(number: lastNumber, image: image)
  }

  mutating func remove(_ id: UInt32) {
    guard let old = kept.removeValue(forKey: id) else { return }
    cost -= old.image.cost
    sixels[old.number] = nil
    if sent.remove(old.number) != nil { gone.insert(old.number) }
  }

  mutating func removeAll() { for id in Array(kept.keys) { remove(id) } }

  /// The cells that the popup's picture takes; nil if it has none, or if the terminal draws none.
  func cells(of id: UInt32) -> ImageCells? {
    guard way != nil, let kept = kept[id] else { return nil }
    return ImageCells(kept.number, size: kept.image.size, cell: cell)
  }

  // MARK: Drawing

  /// Whether text that is drawn over a picture erases it, as all text and all pictures are one.
  var isOneWithText: Bool { way == .sixel }

  /// The terminal has forgotten the pictures, or is about to be cleared. Returns what removes them for certain.
  mutating func forget() -> [UInt8] {
    let hadAny = !sent.isEmpty || !gone.isEmpty
    (sent, gone) = ([], [])
    return hadAny ? KittyGraphics.clear : []
  }

  /// Whether ``clearing()`` has anything to do.
  var hasGone: Bool { !gone.isEmpty }

  /// Frees the pictures of popups that have gone.
  mutating func clearing() -> [UInt8] {
    defer { gone = [] }
    return gone.sorted().flatMap { KittyGraphics.removal(of: KittyGraphics.id($0), frees: true) }
  }

  /// Removes a picture from its place; the text below it is drawn again where both are one.
  func erasing(_ cells: ImageCells) -> [UInt8] {
    way == .kitty && sent.contains(cells.number)
      ? KittyGraphics.removal(of: KittyGraphics.id(cells.number), frees: false) : []
  }

  /// Draws a popup's picture from the cursor on.
  mutating func drawing(_ cells: ImageCells, of id: UInt32) -> [UInt8] {
    guard let kept = kept[id], kept.number == cells.number, let way else { return [] }
    switch way {
    case .kitty:
      let number = KittyGraphics.id(cells.number)
      let isNew = sent.insert(cells.number).inserted
      return (isNew ? KittyGraphics.transmission(of: kept.image, id: number) : [])
        + KittyGraphics.placement(of: number, cells)
    case .sixel:
      if let known = sixels[cells.number] { return known }
      guard case .pixels(let pixels) = kept.image else { return [] }
      let sequence = SixelEncoder.sequence(for: pixels.scaled(toFit: cells.pixels(cell)), colours: colours)
      sixels[cells.number] = sequence
      return sequence
    }
  }

  /// Keeps the sequences of the pictures on the screen alone.
  mutating func keep(only numbers: Set<UInt32>) {
    if sixels.count > numbers.count { sixels = sixels.filter { numbers.contains($0.key) } }
  }
}
