import { randomInt } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** As in the contract. */
export const pictureWidth = 180
export const pictureHeight = 38

/** Seven rows of five dots each, from the top; the highest of the five bits is the left dot. */
const glyphs: Readonly<Record<string, readonly number[]>> = {
  0: [14, 17, 19, 21, 25, 17, 14],
  1: [4, 12, 4, 4, 4, 4, 14],
  2: [14, 17, 1, 2, 4, 8, 31],
  3: [31, 2, 4, 2, 1, 17, 14],
  4: [2, 6, 10, 18, 31, 2, 2],
  5: [31, 16, 30, 1, 1, 17, 14],
  6: [6, 8, 16, 30, 17, 17, 14],
  7: [31, 1, 2, 4, 8, 8, 8],
  8: [14, 17, 17, 14, 17, 17, 14],
  9: [14, 17, 17, 15, 1, 2, 12],
  '+': [0, 4, 4, 31, 4, 4, 0],
  '-': [0, 0, 0, 31, 0, 0, 0],
  '×': [0, 17, 10, 4, 10, 17, 0],
  '=': [0, 0, 31, 0, 31, 0, 0],
}

const between = (low: number, high: number) => low + ((high - low) * randomInt(0, 1000)) / 1000

/** Gray values, row by row; white at first. */
class Canvas {
  readonly dots = Buffer.alloc(pictureWidth * pictureHeight, 255)

  dot(x: number, y: number, gray: number): void {
    if (x < 0 || y < 0 || x >= pictureWidth || y >= pictureHeight) return
    const at = Math.floor(y) * pictureWidth + Math.floor(x)
    this.dots[at] = Math.min(gray, this.dots[at] ?? 255)
  }

  /** A character around a center: turned, slanted and stretched by chance. */
  character(rows: readonly number[], x: number, y: number): void {
    const [turn, slant, size, gray] = [between(-0.28, 0.28), between(-0.2, 0.2), between(4, 4.5), between(10, 60)]
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
    for (let dy = -19; dy < 19; dy++)
      for (let dx = -19; dx < 19; dx++) {
        const column = Math.floor((dx * cos + dy * sin + slant * dy) / size + 2.5)
        const row = Math.floor((dy * cos - dx * sin) / size + 3.5)
        if (column >= 0 && column < 5 && ((rows[row] ?? 0) >> (4 - column)) & 1) this.dot(x + dx, y + dy, gray)
      }
  }

  /** A curve from side to side in the gray of the characters, so that they cannot be told apart by color. */
  curve(): void {
    const [middle, height, length, start] = [between(8, 30), between(3, 10), between(25, 60), between(0, 6)]
    const gray = between(60, 110)
    for (let x = 0; x < pictureWidth; x += 0.5) {
      const y = middle + height * Math.sin(x / length + start)
      this.dot(x, y, gray)
    }
  }

  noise(): void {
    for (let count = 0; count < 250; count++)
      this.dot(randomInt(0, pictureWidth), randomInt(0, pictureHeight), between(90, 220))
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A grayscale PNG. */
function png(dots: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(pictureWidth, 0)
  header.writeUInt32BE(pictureHeight, 4)
  header[8] = 8
  // Every row begins with its filter: none.
  const rows = Buffer.alloc((pictureWidth + 1) * pictureHeight)
  for (let y = 0; y < pictureHeight; y++)
    dots.copy(rows, y * (pictureWidth + 1) + 1, y * pictureWidth, (y + 1) * pictureWidth)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

/** Draws a short calculation so that people read it and simple programs do not; differently each time. */
export function pictureOf(calculation: string): Buffer {
  const canvas = new Canvas()
  const characters = [...calculation].flatMap((one) => (glyphs[one] ? [glyphs[one]] : []))
  const step = Math.min(36, (pictureWidth - 24) / characters.length)
  const left = (pictureWidth - step * characters.length) / 2
  for (const [at, rows] of characters.entries())
    canvas.character(rows, Math.round(left + step * (at + 0.5) + between(-3, 3)), Math.round(between(17.5, 20.5)))
  canvas.curve()
  canvas.curve()
  canvas.noise()
  return png(canvas.dots)
}
