/** Reading compound files (MS-CFB): the streams in the root of one, from bytes that may be hostile. */

const signature = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Numbers from here on are marks, not sectors. */
const firstMark = 0xfffffffa
const entrySize = 128

export const isCompoundFile = (bytes: Buffer): boolean => bytes.subarray(0, signature.length).equals(signature)

const damaged = () => new Error('The compound file is damaged.')

/** Follows a list of sectors. A list that is longer than the file repeats itself. @throws Error */
function follow(table: readonly number[], first: number): number[] {
  const chain: number[] = []
  for (let at = first; at < firstMark; at = table[at] as number) {
    if (at >= table.length || chain.length > table.length) throw damaged()
    chain.push(at)
  }
  return chain
}

function numbersIn(bytes: Buffer): number[] {
  const numbers: number[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) numbers.push(bytes.readUInt32LE(at))
  return numbers
}

/** The sectors of a compound file and the table that chains them. */
function sectorsOf(bytes: Buffer) {
  const shift = bytes.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw damaged()
  const size = 2 ** shift
  const sector = (index: number): Buffer => {
    const start = (index + 1) * size
    if (start >= bytes.length) throw damaged()
    return bytes.subarray(start, start + size)
  }
  const count = Math.ceil(bytes.length / size)
  const lists = numbersIn(bytes.subarray(76, 512))
  for (let next = bytes.readUInt32LE(68), seen = 0; next < firstMark; seen++) {
    if (seen > count) throw damaged()
    const numbers = numbersIn(sector(next))
    lists.push(...numbers.slice(0, -1))
    next = numbers.at(-1) ?? firstMark
  }
  const table: number[] = []
  for (const list of lists) {
    if (list >= firstMark) continue
    if (table.length > count) break
    for (const next of numbersIn(sector(list))) table.push(next)
  }
  return { size, read: (first: number) => Buffer.concat(follow(table, first).map(sector)) }
}

/**
 * Streams of a compound file by their name, whichever storage they are in. Only the wanted ones are read, and the first
 * of each name: a directory could list the same content thousands of times.
 * @throws Error for anything else
 */
export function compoundStreams(bytes: Buffer, wanted: readonly string[]): Map<string, Buffer> {
  if (!isCompoundFile(bytes) || bytes.length < 512) throw damaged()
  const { read } = sectorsOf(bytes)
  const directory = read(bytes.readUInt32LE(48))
  const smallest = bytes.readUInt32LE(56)
  const smallTable = bytes.readUInt32LE(64) > 0 ? numbersIn(read(bytes.readUInt32LE(60))) : []
  const small = directory.length >= entrySize ? directory.readUInt32LE(116) : firstMark
  let smallSectors: Buffer | undefined
  const readSmall = (first: number) => {
    smallSectors ??= read(small)
    const all = smallSectors
    return Buffer.concat(follow(smallTable, first).map((index) => all.subarray(64 * index, 64 * (index + 1))))
  }
  const streams = new Map<string, Buffer>()
  for (let at = 0; at + entrySize <= directory.length; at += entrySize) {
    const entry = directory.subarray(at, at + entrySize)
    if (entry[66] !== 2) continue
    const name = entry.toString('utf16le', 0, Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2))
    if (!wanted.includes(name) || streams.has(name)) continue
    const size = Number(entry.readBigUInt64LE(120))
    const content = size < smallest ? readSmall(entry.readUInt32LE(116)) : read(entry.readUInt32LE(116))
    if (content.length < size) throw damaged()
    streams.set(name, content.subarray(0, size))
  }
  return streams
}
