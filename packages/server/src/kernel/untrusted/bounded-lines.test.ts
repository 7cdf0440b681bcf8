import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { boundedLines, SaidTooMuch } from './bounded-lines.ts'

async function read(pieces: readonly string[], bounds: Partial<Parameters<typeof boundedLines>[1]> = {}) {
  const lines: string[] = []
  const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)))
  for await (const line of boundedLines(stream, { line: 8, total: 1000, longer: 'fail', ...bounds })) lines.push(line)
  return lines
}

describe('lines of a program of others', () => {
  it('are the same however the stream is cut, with the rest at its end', async () => {
    const whole = 'one\n\nzwei \u00fc\n12345678\nrest'
    const lines = whole.split('\n')
    const bytes = Buffer.from(whole)
    for (let at = 1; at < bytes.length; at++) {
      const found: string[] = []
      const stream = Readable.from([bytes.subarray(0, at), bytes.subarray(at)])
      for await (const line of boundedLines(stream, { line: 9, total: 1000, longer: 'fail' })) found.push(line)
      expect(found).toEqual(lines)
    }
  })

  it('end the reading when one is too long, or all together are, also without a line end', async () => {
    await expect(read(['123456789'])).rejects.toThrow(SaidTooMuch)
    await expect(read(Array.from({ length: 20 }, () => 'x'))).rejects.toThrow(SaidTooMuch)
    await expect(
      read(
        Array.from({ length: 600 }, () => '\n'),
        { total: 599 },
      ),
    ).rejects.toThrow(SaidTooMuch)
  })

  it('are broken where that was asked for', async () => {
    expect(await read(['123456789\nx'], { longer: 'break' })).toEqual(['12345678', '9', 'x'])
  })
})
