import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Activity } from './activity.ts'
import { endsInsideSequence, parseEvent, parseHeader, UnreadableRecording } from './cast.ts'
import { Recording } from './recording.ts'

const header = JSON.stringify({ version: 2, width: 100, height: 30, timestamp: 1_700_000_000, title: 'web-01' })
const cast = (rows: unknown[]) => [header, ...rows.map((row) => JSON.stringify(row))].join('\n')
const stream = (bytes: Uint8Array, step = 7000) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      for (let i = 0; i < bytes.length; i += step) controller.enqueue(new Uint8Array(bytes.subarray(i, i + step)))
      controller.close()
    },
  })
const open = (bytes: Uint8Array) =>
  new Promise<Recording>((resolve, reject) => {
    Recording.open(stream(bytes), (recording) => recording.complete && resolve(recording)).catch(reject)
  })
/** 3 MB of output over an hour. */
const long = Array.from({ length: 3000 }, (_, i) => [i * 1.2, 'o', `${'x'.repeat(1000)}\r\n`])

test('reads header and events, and ignores unknown codes', () => {
  expect(parseHeader(header)).toEqual({ width: 100, height: 30, timestamp: 1_700_000_000, title: 'web-01' })
  expect(() => parseHeader('{"version":1}')).toThrow()
  expect(() => parseHeader('nonsense')).toThrow()
  expect(parseEvent('[1.5,"o","a\\u001b[0m"]')).toEqual({ time: 1.5, code: 'o', data: 'a\x1b[0m' })
  expect(parseEvent('[2,"r","120x40"]')).toEqual({ time: 2, code: 'r', columns: 120, rows: 40 })
  for (const line of ['[2,"i","x"]', '[2,"r","x"]', '[-1,"o","x"]', '["1","o","x"]', '[1,"o"', '{}', ''])
    expect(parseEvent(line)).toBeUndefined()
})

test('rejects sizes and times that no screen or clock can have', async () => {
  for (const size of [
    { width: 100_000, height: 100_000 },
    { width: 0 },
    { height: -1 },
    { width: 1.5 },
    { height: '9' },
  ])
    expect(() => parseHeader(JSON.stringify({ version: 2, width: 80, height: 24, ...size }))).toThrow(
      UnreadableRecording,
    )
  expect(parseHeader('{"version":2}')).toMatchObject({ width: 80, height: 24, timestamp: 0 })
  for (const timestamp of ['1e300', '1e999', '-5', '"x"', 'null'])
    expect(parseHeader(`{"version":2,"timestamp":${timestamp}}`).timestamp).toBe(0)
  for (const line of [
    '[1e999,"o","x"]',
    '[1e300,"o","x"]',
    '[-1,"o","x"]',
    '[null,"o","x"]',
    '[0,"o",5]',
    '[0,"o",null]',
  ])
    expect([line, parseEvent(line)]).toEqual([line, undefined])
  for (const size of ['100000x100000', '0x0', '9999x9999', '1e3x5', '-1x5', '80x', '80x24x3', '8'.repeat(400)])
    expect([size, parseEvent(`[0,"r","${size}"]`)]).toEqual([size, undefined])
})

test('reports omitted lines and plays the others', async () => {
  const lines = [
    header,
    '[-1,"o","a"]',
    '[0,"o","b"]',
    '[0,"r","100000x100000"]',
    'x',
    '',
    '[1,"o","c"]',
    '[2,"i","d"]',
  ]
  const recording = await open(gzipSync(lines.join('\n')))
  expect(recording).toMatchObject({ damaged: true, cut: false, duration: 1 })
  expect((await recording.events(0)).map((event) => event.code === 'o' && event.data)).toEqual(['b', 'c'])
  expect(
    await open(
      gzipSync(
        `${cast([
          [1, 'i', 'x'],
          [1, 'm', ''],
          [2, 'o', 'a'],
        ])}\n[3,"o`,
      ),
    ),
  ).toMatchObject({ damaged: false })
})

test('ends at an endless line', async () => {
  const recording = await open(gzipSync(`${cast([[1, 'o', 'a']])}\n[2,"o","${'x'.repeat(20 * 1024 * 1024)}`))
  expect(recording).toMatchObject({ cut: true, duration: 1 })
  await expect(open(gzipSync('x'.repeat(20 * 1024 * 1024)))).rejects.toThrow(UnreadableRecording)
})

test('detects a text that ends within an escape sequence', () => {
  for (const text of ['a\x1b', 'a\x1b[', 'a\x1b[38;5', '\x1b]0;title', '\x1b('])
    expect(endsInsideSequence(text)).toBe(true)
  for (const text of ['a', '\x1b[0m', '\x1b[0mtext', '\x1b]0;t\x07', '\x1b(B', '\x1bM'])
    expect(endsInsideSequence(text)).toBe(false)
})

test('splits a long recording into blocks, finds a time, and returns all events in order', async () => {
  const recording = await open(gzipSync(cast(long)))
  expect(recording.blocks).toBeGreaterThan(8)
  expect(recording.duration).toBeCloseTo(2999 * 1.2)
  let before = -1
  let count = 0
  for (let at = 0; at < recording.blocks; at++) {
    for (const event of await recording.events(at)) {
      expect(event.time).toBeGreaterThanOrEqual(before)
      before = event.time
      count++
    }
  }
  expect(count).toBe(3000)
  const block = recording.blockAt(1800)
  const events = await recording.events(block)
  expect(events[0]?.time).toBeLessThanOrEqual(1800)
  expect(recording.block(block + 1)?.start).toBeGreaterThan(1800)
  expect(recording.blockAt(-5)).toBe(0)
  expect(recording.blockAt(1e9)).toBe(recording.blocks - 1)
})

test('reads an uncompressed recording', async () => {
  const recording = await open(new TextEncoder().encode(cast([[1, 'o', '你好']])))
  expect(await recording.events(0)).toEqual([{ time: 1, code: 'o', data: '你好' }])
})

test('plays a truncated recording up to the cut and reports it', async () => {
  const complete = gzipSync(cast(long.map(([time, code], i) => [time, code, `${Math.sin(i)} `.repeat(60)])))
  const recording = await open(complete.subarray(0, Math.floor(complete.length * 0.8)))
  expect(recording.cut).toBe(true)
  expect(recording.duration).toBeGreaterThan(2000)
  expect(recording.duration).toBeLessThan(3000)
})

test('omits a truncated line', async () => {
  const recording = await open(new TextEncoder().encode(`${cast([[1, 'o', 'a']])}\n[2,"o","b`))
  expect(await recording.events(0)).toHaveLength(1)
})

test('rejects an empty file and a foreign file', async () => {
  await expect(open(new Uint8Array())).rejects.toThrow()
  await expect(open(new TextEncoder().encode('<html>'))).rejects.toThrow()
})

test('knows the screen size at the start of a block', async () => {
  const rows = [[0, 'r', '132x50'], ...long]
  const recording = await open(gzipSync(cast(rows)))
  expect(recording.block(0)).toMatchObject({ columns: 100, rows: 30 })
  expect(recording.block(1)).toMatchObject({ columns: 132, rows: 50 })
})

test('keeps activity sums while buckets widen, and shows silence as empty', () => {
  const activity = new Activity()
  for (let second = 0; second < 100; second++) activity.add(second, 10)
  activity.add(40_000, 10)
  const bars = activity.bars(100, 40_000)
  expect(bars).toHaveLength(100)
  expect(bars[0]).toBe(1)
  expect(bars[50]).toBe(0)
  expect(bars[99]).toBeGreaterThan(0)
  expect(new Activity().bars(3, 0)).toEqual([0, 0, 0])
})
