/**
 * Compound files (MS-CFB), the container of protected Office documents: a file system of sectors in one file. This is
 * the part of it that a document with a few streams in its root needs, written front to back.
 */

/** A stream of the container. Its size must be known before its content is written. */
export interface CompoundStream {
  name: string
  size: number
  content(): AsyncIterable<Buffer>
}

const sectorSize = 512
const entriesOfSector = sectorSize / 4
const difatInHeader = 109
/** Smaller streams would have to stand in a stream of small sectors, so they are filled up to this. Bytes. */
export const smallestStream = 4096

const free = 0xffffffff
const endOfChain = 0xfffffffe
const fatSector = 0xfffffffd
const difatSector = 0xfffffffc

const sectorsOf = (bytes: number) => Math.ceil(bytes / sectorSize)

/** How many sectors list the others; they list themselves too. */
function countLists(content: number): { fat: number; difat: number } {
  let fat = 0
  let difat = 0
  for (;;) {
    const neededFat = Math.ceil((content + fat + difat) / entriesOfSector)
    const neededDifat = Math.max(0, Math.ceil((neededFat - difatInHeader) / (entriesOfSector - 1)))
    if (neededFat === fat && neededDifat === difat) return { fat, difat }
    fat = neededFat
    difat = neededDifat
  }
}

function header(parts: {
  fat: number
  difat: number
  directory: number
  firstDifat: number
  firstFat: number
}): Buffer {
  const bytes = Buffer.alloc(sectorSize)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes)
  bytes.writeUInt16LE(0x003e, 24)
  bytes.writeUInt16LE(3, 26)
  bytes.writeUInt16LE(0xfffe, 28)
  bytes.writeUInt16LE(Math.log2(sectorSize), 30)
  bytes.writeUInt16LE(6, 32)
  bytes.writeUInt32LE(parts.fat, 44)
  bytes.writeUInt32LE(parts.directory, 48)
  bytes.writeUInt32LE(smallestStream, 56)
  bytes.writeUInt32LE(endOfChain, 60)
  bytes.writeUInt32LE(parts.difat > 0 ? parts.firstDifat : endOfChain, 68)
  bytes.writeUInt32LE(parts.difat, 72)
  for (let index = 0; index < difatInHeader; index++)
    bytes.writeUInt32LE(index < parts.fat ? parts.firstFat + index : free, 76 + 4 * index)
  return bytes
}

interface Entry {
  name: string
  kind: 2 | 5
  child: number
  right: number
  start: number
  size: number
}

function directoryEntry({ name, kind, child, right, start, size }: Entry): Buffer {
  const bytes = Buffer.alloc(128)
  const written = bytes.write(name, 'utf16le')
  bytes.writeUInt16LE(written + 2, 64)
  bytes[66] = kind
  // Black: a list that only leads to the right is short enough to count as balanced for every reader.
  bytes[67] = 1
  bytes.writeUInt32LE(free, 68)
  bytes.writeUInt32LE(right, 72)
  bytes.writeUInt32LE(child, 76)
  bytes.writeUInt32LE(start, 116)
  bytes.writeBigUInt64LE(BigInt(size), 120)
  return bytes
}

const unused = () => {
  const bytes = Buffer.alloc(128)
  for (const at of [68, 72, 76]) bytes.writeUInt32LE(free, at)
  return bytes
}

/** Numbers as sectors, filled up with `free`. */
function* sectorsOfNumbers(numbers: Iterable<number>): Generator<Buffer> {
  let sector = Buffer.alloc(sectorSize, 0xff)
  let at = 0
  for (const number of numbers) {
    sector.writeUInt32LE(number, at)
    at += 4
    if (at < sectorSize) continue
    yield sector
    sector = Buffer.alloc(sectorSize, 0xff)
    at = 0
  }
  if (at > 0) yield sector
}

function* chain(first: number, length: number): Generator<number> {
  for (let index = 1; index < length; index++) yield first + index
  if (length > 0) yield endOfChain
}

/** Order of names in a directory: shorter ones first, then by upper case. */
const byName = (a: CompoundStream, b: CompoundStream) =>
  a.name.length - b.name.length || (a.name.toUpperCase() < b.name.toUpperCase() ? -1 : 1)

/**
 * The bytes of a compound file with at most three streams of at least `smallestStream` bytes each.
 * @throws Error when a stream has another size than it says
 */
export async function* compoundFile(given: readonly CompoundStream[]): AsyncGenerator<Buffer> {
  const streams = given.toSorted(byName)
  const counts = streams.map(({ size }) => sectorsOf(size))
  const content = 1 + counts.reduce((sum, count) => sum + count, 0)
  const { fat, difat } = countLists(content)
  // Header, DIFAT, FAT, directory, streams.
  const directory = difat + fat
  const starts = counts.map(
    (_count, index) => directory + 1 + counts.slice(0, index).reduce((sum, one) => sum + one, 0),
  )
  yield header({ fat, difat, directory, firstDifat: 0, firstFat: difat })

  const perDifat = entriesOfSector - 1
  for (let index = 0; index < difat; index++) {
    const sector = Buffer.alloc(sectorSize, 0xff)
    for (let slot = 0; slot < perDifat; slot++) {
      const number = difatInHeader + index * perDifat + slot
      if (number < fat) sector.writeUInt32LE(difat + number, 4 * slot)
    }
    sector.writeUInt32LE(index + 1 < difat ? index + 1 : endOfChain, 4 * perDifat)
    yield sector
  }
  function* allocation(): Generator<number> {
    for (let index = 0; index < difat; index++) yield difatSector
    for (let index = 0; index < fat; index++) yield fatSector
    yield endOfChain
    for (const [index, start] of starts.entries()) yield* chain(start, counts[index] as number)
  }
  yield* sectorsOfNumbers(allocation())

  const entries = [
    directoryEntry({ name: 'Root Entry', kind: 5, child: 1, right: free, start: endOfChain, size: 0 }),
    ...streams.map(({ name, size }, index) => {
      const right = index + 1 < streams.length ? index + 2 : free
      return directoryEntry({ name, kind: 2, child: free, right, start: starts[index] as number, size })
    }),
  ]
  while (entries.length < sectorSize / 128) entries.push(unused())
  yield Buffer.concat(entries)

  for (const { name, size, content: read } of streams) {
    let written = 0
    for await (const piece of read()) {
      written += piece.length
      yield piece
    }
    if (written !== size) throw new Error(`The stream ${name} has ${written} bytes instead of ${size}.`)
    yield Buffer.alloc(sectorsOf(size) * sectorSize - size)
  }
}
