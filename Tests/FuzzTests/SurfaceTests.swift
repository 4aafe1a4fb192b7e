// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests every parser of bytes from outside with the corpus that `make fuzz` keeps, and with mutations of it.
@Suite(.timeLimit(.minutes(3))) struct SurfaceTests {
  private static let rounds = ProcessInfo.processInfo.environment["SUZU_LONG_TESTS"] == nil ? 1500 : 100_000
  /// `make fuzz` stops at a second; here the build is not optimised and other programs run beside it.
  private static let longest: Duration = .seconds(5)

  private static let all =
    CenterSurfaces.all + DesktopSurfaces.all + LinkSurfaces.all + RequestSurfaces.all + TimeSurfaces.all
    + ZoneSurfaces.all

  @Test(arguments: all) func `No input of the corpus contradicts itself`(surface: Surface) throws {
    let inputs = try Corpus.inputs(of: surface)
    var accepted = 0
    for input in inputs {
      do throws(Surprise) { accepted += try surface.read(input) ? 1 : 0 } catch {
        Issue.record("\(surface.name): \(error); input: \(Corpus.escaped(input))")
      }
    }
    #expect(accepted > 0 && inputs.count > 3, "\(accepted) of \(inputs.count) accepted")
  }

  @Test(arguments: all) func `No mutation of the corpus ends or delays the program`(surface: Surface)
    throws
  {
    let inputs = try Corpus.inputs(of: surface)
    var numbers = SeededNumbers(seed: 20)
    var (accepted, refused) = (0, 0)
    for round in 0..<Self.rounds {
      let input = Mutation.of(inputs[round % inputs.count], others: inputs, &numbers)
      var result: Result<Bool, Surprise> = .success(false)
      let time = ContinuousClock().measure {
        result = Result { () throws(Surprise) in try surface.read(input) }
      }
      switch result {
      case .success(let isAccepted):
        (accepted, refused) = isAccepted ? (accepted + 1, refused) : (accepted, refused + 1)
      case .failure(let error): Issue.record("\(surface.name): \(error); input: \(Corpus.escaped(input))")
      }
      #expect(time < Self.longest, "\(surface.name) took \(time) for \(Corpus.escaped(input))")
    }
    // Each outcome occurs often enough to mean something.
    #expect(accepted > Self.rounds / 100 && refused > Self.rounds / 100, "\(accepted) accepted, \(refused) refused")
  }

  @Test func `A kept input is read back as it was`() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Corpus.unescaped(Array(Corpus.escaped(bytes).utf8)) == bytes)
  }
}

extension Surface: CustomTestStringConvertible {
  var testDescription: String { name }
}
