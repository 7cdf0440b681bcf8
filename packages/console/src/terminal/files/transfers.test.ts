import { expect, test } from 'vitest'
import { ApiError } from '../../kit/api/errors.ts'
import { BytesError } from '../bytes.ts'
import type { Files } from './files-api.ts'
import { judgeTransfer, uploadJob } from './jobs.ts'
import { badName, crumbs, joinPath, modeText, parentOf, resolvePath, sizeText } from './paths.ts'
import { type Transfer, TransferQueue } from './transfers.ts'

const MB = 1024 * 1024
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
async function until(queue: TransferQueue, wanted: (list: readonly Transfer[]) => boolean) {
  for (let i = 0; i < 2000 && !wanted(queue.list()); i++) await settled()
  expect(wanted(queue.list())).toBe(true)
}
const states = (queue: TransferQueue) => queue.list().map((one) => `${one.name} ${one.state}`)
const queueOf = (parallel = 2) =>
  new TransferQueue(
    judgeTransfer,
    (error) => (error as Error).message,
    parallel,
    async () => undefined,
  )

/** A gateway that stores uploads in memory and can be made to fail. */
function gateway() {
  const uploads = new Map<string, { path: string; size: number; bytes: number[]; offset: number; done: boolean }>()
  const existing = new Set<string>()
  const failures: (() => void)[] = []
  const dropped: string[] = []
  let pieces = 0
  let now = 0
  let most = 0
  const shown = (id: string) => {
    const one = uploads.get(id)
    if (!one) throw new ApiError(404, { code: 'not_found' }, 'gone')
    return { id, path: one.path, size: one.size, offset: one.offset, done: one.done }
  }
  const files = {
    beginUpload: async (path: string, size: number, conflict: string) => {
      if (existing.has(path) && conflict === 'fail') throw new ApiError(409, { code: 'exists', detail: '' }, 'exists')
      const id = String(uploads.size + 1)
      uploads.set(id, { path, size, bytes: [], offset: 0, done: size === 0 })
      return shown(id)
    },
    lookUpload: async (id: string) => shown(id),
    sendPiece: async (id: string, offset: number, piece: Blob, signal: AbortSignal) => {
      now++
      most = Math.max(most, now)
      await settled()
      now--
      signal.throwIfAborted()
      failures.shift()?.()
      const one = uploads.get(id)
      if (!one) throw new ApiError(404, { code: 'not_found' }, 'gone')
      if (offset !== one.offset) throw new ApiError(409, { code: 'offset_mismatch', offset: one.offset }, 'offset')
      pieces++
      one.offset += piece.size
      one.done = one.offset === one.size
      return shown(id)
    },
    dropUpload: async (id: string) => {
      dropped.push(id)
    },
  } as unknown as Files
  return { files, uploads, existing, failures, dropped, pieces: () => pieces, most: () => most }
}
const file = (name: string, size: number) => new File([new Uint8Array(size)], name)

test('sends a file in pieces and reports progress', async () => {
  const { files, uploads, pieces } = gateway()
  const queue = queueOf()
  const seen: number[] = []
  queue.subscribe(() => seen.push(queue.list()[0]?.offset ?? 0))
  queue.add(uploadJob(files, file('a', 10 * MB), '/home/a', 64 * MB))
  await until(queue, ([one]) => one?.state === 'done')
  expect(uploads.get('1')).toMatchObject({ offset: 10 * MB, done: true, path: '/home/a' })
  expect(pieces()).toBe(3)
  expect([...seen].sort((a, b) => a - b)).toEqual(seen)
})

test('respects the largest piece of the gateway, and sends none for an empty file', async () => {
  const { files, pieces } = gateway()
  const queue = queueOf()
  queue.add(uploadJob(files, file('a', 3 * MB), '/a', MB))
  queue.add(uploadJob(files, file('empty', 0), '/empty', MB))
  await until(queue, (list) => list.every((one) => one.state === 'done'))
  expect(pieces()).toBe(3)
})

test('runs two at a time, in order', async () => {
  const { files, most } = gateway()
  const queue = queueOf(2)
  const order: string[] = []
  queue.onDone = (one) => order.push(one.name)
  for (const name of ['a', 'b', 'c', 'd']) queue.add(uploadJob(files, file(name, MB), `/${name}`, MB))
  expect(states(queue)).toEqual(['d waiting', 'c waiting', 'b running', 'a running'])
  await until(queue, (list) => list.every((one) => one.state === 'done'))
  expect(most()).toBe(2)
  expect(order).toEqual(['a', 'b', 'c', 'd'])
})

test("retries after a network failure, from the gateway's offset", async () => {
  const { files, failures, uploads } = gateway()
  const queue = queueOf()
  failures.push(
    () => undefined,
    () => {
      throw new ApiError(0, undefined, 'network')
    },
    () => {
      throw new ApiError(502, undefined, 'bad gateway')
    },
  )
  queue.add(uploadJob(files, file('a', 12 * MB), '/a', 64 * MB))
  await until(queue, ([one]) => one?.state === 'done')
  expect(uploads.get('1')?.offset).toBe(12 * MB)
})

test('asks for the offset if the gateway has another one, and continues there', async () => {
  const { files, failures, uploads } = gateway()
  const queue = queueOf()
  failures.push(() => {
    // The piece arrived, but the response was lost.
    const one = uploads.get('1')
    if (one) one.offset = 4 * MB
  })
  queue.add(uploadJob(files, file('a', 8 * MB), '/a', 64 * MB))
  await until(queue, ([one]) => one?.state === 'done')
  expect(uploads.size).toBe(1)
})

test('fails after a long network outage, and can be resumed', async () => {
  const { files, failures } = gateway()
  const queue = queueOf()
  for (let i = 0; i < 5; i++) {
    failures.push(() => {
      throw new ApiError(0, undefined, 'network')
    })
  }
  const id = queue.add(uploadJob(files, file('a', 2 * MB), '/a', MB))
  await until(queue, ([one]) => one?.state === 'failed')
  expect(queue.list()[0]?.error).toBe('network')
  queue.resume(id)
  await until(queue, ([one]) => one?.state === 'done')
})

test('pauses, resumes the same upload, and lets the next one start', async () => {
  const { files, uploads } = gateway()
  const queue = queueOf(1)
  const a = queue.add(uploadJob(files, file('a', 20 * MB), '/a', MB))
  queue.add(uploadJob(files, file('b', MB), '/b', MB))
  await until(queue, (list) => (list[1]?.offset ?? 0) >= 3 * MB)
  queue.pause(a)
  await until(queue, (list) => list[0]?.state === 'done')
  const held = uploads.get('1')?.offset ?? 0
  expect(held).toBeLessThan(20 * MB)
  expect(queue.list()[1]?.state).toBe('paused')
  queue.resume(a)
  await until(queue, (list) => list[1]?.state === 'done')
  expect(uploads.size).toBe(2)
})

test('removes a partial upload on cancel, which is final', async () => {
  const { files, dropped } = gateway()
  const queue = queueOf()
  const id = queue.add(uploadJob(files, file('a', 20 * MB), '/a', MB))
  await until(queue, ([one]) => (one?.offset ?? 0) >= 2 * MB)
  queue.cancel(id)
  for (let i = 0; i < 20; i++) await settled()
  expect(states(queue)).toEqual(['a cancelled'])
  expect(dropped).toEqual(['1'])
  queue.resume(id)
  expect(states(queue)).toEqual(['a cancelled'])
  queue.clearEnded()
  expect(queue.list()).toEqual([])
})

test("waits for the user's decision on an existing name; replace continues", async () => {
  const { files, existing } = gateway()
  existing.add('/a')
  const queue = queueOf()
  const job = uploadJob(files, file('a', MB), '/a', MB)
  const id = queue.add(job)
  await until(queue, ([one]) => one?.state === 'conflict')
  job.conflict = 'replace'
  queue.resume(id)
  await until(queue, ([one]) => one?.state === 'done')
})

test('stops on a rejection until the user retries', () => {
  expect(judgeTransfer(new ApiError(403, { code: 'permission_denied' }, ''))).toBe('fail')
  expect(judgeTransfer(new ApiError(502, { code: 'target_error' }, ''))).toBe('fail')
  expect(judgeTransfer(new BytesError(404, 'not_found', ''))).toBe('fail')
  expect(judgeTransfer(new BytesError(503, '', ''))).toBe('again')
  expect(judgeTransfer(new TypeError('failed to fetch'))).toBe('again')
})

test('joins, resolves and splits paths', () => {
  expect([joinPath('/', 'a'), joinPath('/a', 'b')]).toEqual(['/a', '/a/b'])
  expect(['/', '/a', '/a/b', '/a/b/'].map(parentOf)).toEqual(['/', '/', '/a', '/a'])
  expect(
    ['..', '/etc/../var/./x', '~/y', '~', 'sub', '../../..'].map((typed) => resolvePath('/home/u', '/home/u', typed)),
  ).toEqual(['/home', '/var/x', '/home/u/y', '/home/u', '/home/u/sub', '/'])
  expect(crumbs('/home/u').map((one) => one.path)).toEqual(['/', '/home', '/home/u'])
  expect(['', '.', '..', 'a/b', 'ok'].map(badName)).toEqual(['empty', 'empty', 'empty', 'slash', undefined])
})

test('formats sizes and modes', () => {
  expect([0, 512, 1536, 10 * MB, 5 * 1024 * MB].map(sizeText)).toEqual(['0 B', '512 B', '1.5 KB', '10.0 MB', '5.0 GB'])
  expect([0o755, 0o640].map(modeText)).toEqual(['rwxr-xr-x', 'rw-r-----'])
})
