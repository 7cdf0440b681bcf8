import fc from 'fast-check'
import { expect, test } from 'vitest'
import { framed, PacketSplitter, type Piece, packet, stringField, type } from './packets.ts'

/** Reassembles parts, as the other side sees them. */
function bytesOf(pieces: Piece[]): Buffer {
  return Buffer.concat(pieces.map((piece) => (piece.kind === 'whole' ? framed(piece.body) : piece.data)))
}

test('the output equals the input however a stream is cut', () => {
  const size = fc.integer({ min: 0, max: 70_000 })
  const cut = fc.integer({ min: 1, max: 40_000 })
  fc.assert(
    fc.property(fc.array(size, { maxLength: 6 }), fc.array(cut, { minLength: 1, maxLength: 20 }), (sizes, cuts) => {
      const stream = Buffer.concat(
        sizes.map((length, id) =>
          packet(id % 2 ? type.DATA : type.NAME, id, stringField(Buffer.alloc(length, id + 1))),
        ),
      )
      const splitter = new PacketSplitter(type.DATA)
      const pieces: Piece[] = []
      for (let at = 0, turn = 0; at < stream.length; turn += 1) {
        const step = cuts[turn % cuts.length] as number
        // A copy: in the product, chunks of different network reads do not share memory.
        pieces.push(...splitter.push(Buffer.from(stream.subarray(at, at + step))))
        at += step
      }
      expect(bytesOf(pieces).equals(stream)).toBe(true)
    }),
    { numRuns: 100 },
  )
})

test('a packet of an impossible length is rejected', () => {
  expect(() => new PacketSplitter(type.DATA).push(Buffer.from([0xff, 0xff, 0xff, 0xff, 1]))).toThrow()
  expect(() => new PacketSplitter(type.DATA).push(Buffer.from([0, 0, 0, 0, 1]))).toThrow()
})
