// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The known word that this may be a misspelling of; nil if none is close.
  ///
  /// One wrong letter in three is the most: `id` is not `in`, and `title` is not `file`.
  package func misspelling(ofOneOf known: some Sequence<String>) -> String? {
    let typed = lowercased()
    let length = typed.count
    // The distance is at least the difference of the lengths.
    let near = known.filter { abs($0.count - length) <= 2 }
      .map { (word: $0, distance: $0.lowercased().distance(to: typed)) }
      .filter { $0.distance <= 2 && 3 * $0.distance <= max($0.word.count, typed.count) }
    return near.min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
  }

  /// The number of letters to insert, remove, change or swap with their neighbour to turn one text into the other; very
  /// large for long texts.
  package func distance(to other: String) -> Int {
    // Words of this length are not typing errors, and the work grows with the square.
    if utf8.count > 64 || other.utf8.count > 64 { return Int.max / 4 }
    let (source, target) = (Array(self), Array(other))
    var earlier: [Int] = []
    var row = Array(0...target.count)
    for (i, letter) in source.enumerated() {
      var next = [i + 1]
      for (j, otherLetter) in target.enumerated() {
        var best = Swift.min(row[j] + (letter == otherLetter ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, letter == target[j - 1], source[i - 1] == otherLetter {
          best = Swift.min(best, earlier[j - 1] + 1)
        }
        next.append(best)
      }
      (earlier, row) = (row, next)
    }
    return row[target.count]
  }
}
