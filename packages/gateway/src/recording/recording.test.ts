import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Outbox, OutboxEntry } from '../server-client/outbox.ts'
import { closeAtLastRow, RecordingArchive } from './archive.ts'
import { Recorder } from './recorder.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-recording-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const header = { width: 80, height: 24, title: 't', term: 'xterm', started: 0 }

test('a recording contains every byte as text, including characters split across chunks', async () => {
  const recorder = await Recorder.create(join(folder, 'a.cast'), header)
  const text = Buffer.from('你好\r\n"quoted"\u0007')
  for (const byte of text) recorder.output(Buffer.from([byte]))
  recorder.resize(100, 30)
  await recorder.close()
  const lines = (await readFile(join(folder, 'a.cast'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ version: 2, width: 80, height: 24 })
  expect(
    lines
      .slice(1)
      .filter((row) => row[1] === 'o')
      .map((row) => row[2])
      .join(''),
  ).toBe(text.toString())
  expect(lines.at(-1)).toMatchObject({ 1: 'r', 2: '100x30' })
})

test('a recorder that cannot write reports it', async () => {
  await expect(Recorder.create(join(folder, 'missing', 'a.cast'), header)).rejects.toThrow()
  await expect(Recorder.create('/dev/full', header)).rejects.toThrow()
})

test('after a crash a recording is cut at its last complete row, packed and sent with its end', async () => {
  const entries: OutboxEntry[] = []
  const outbox = {
    put: async (_lane: string, entry: OutboxEntry) => void entries.push(entry),
    filesNeeded: () => new Set(entries.flatMap((entry) => entry.file?.path ?? [])),
  } as unknown as Outbox
  const archive = new RecordingArchive(outbox, folder)
  await archive.open()
  await archive.begin('s1', Date.now())
  expect(await archive.recover()).toEqual([])
  // Another run finds the files of the first one.
  const next = new RecordingArchive(outbox, folder)
  await writeFile(
    join(folder, 'recordings', 's1.cast'),
    '{"version":2}\n[0.5,"o","one"]\n[61.25,"o","last whole"]\n[62.0,"o","cut in the mid',
  )
  expect(await next.recover()).toEqual(['s1'])
  expect(entries[0]).toMatchObject({ method: 'PATCH', body: { is_finished: true } })
  const ended = new Date((entries[0] as { body: { date_end: string } }).body.date_end).getTime()
  expect(ended - Date.now()).toBeGreaterThan(55_000)
  expect(entries[1]).toMatchObject({
    path: '/api/v1/terminal/sessions/s1/replay/',
    next: { body: { has_replay: true } },
  })
  const packed = gunzipSync(await readFile(entries[1]?.file?.path as string)).toString()
  expect(packed).toBe('{"version":2}\n[0.5,"o","one"]\n[61.25,"o","last whole"]\n')
  expect(await readdir(join(folder, 'sessions'))).toEqual([])
  expect(await next.recover()).toEqual([])
})

test('a recording of one long row is closed too', async () => {
  const file = join(folder, 'long.cast')
  await writeFile(file, `{"version":2}\n[1,"o","${'x'.repeat(300_000)}"]\n[2,"o","y`)
  expect(await closeAtLastRow(file)).toBe(1)
  expect(await closeAtLastRow(join(folder, 'none.cast'))).toBeUndefined()
})
