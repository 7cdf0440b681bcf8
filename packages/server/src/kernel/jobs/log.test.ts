import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineTestJob } from '../../testing/jobs.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { LogBuffer, readLog } from './log.ts'
import { isFinal } from './states.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ worker: true })
})
afterAll(() => server.close())

const reader = () => server.application.services.database.reader
const rowsOf = (id: string) =>
  reader().selectFrom('kernel_job_log').select('text').where('job_id', '=', id).orderBy('id').execute()
const stateOf = async (id: string) =>
  (await reader().selectFrom('kernel_job').select('state').where('id', '=', id).executeTakeFirst())?.state

async function run(work: (log: (line: string) => Promise<void>) => Promise<void>): Promise<string> {
  const kind = defineTestJob<object>({
    name: `test.${randomUUID()}`,
    delivery: 'idempotent',
    retries: 0,
    run: (_ctx, _payload, job) => work((line) => job.log(line)),
  })
  return server.context().enqueue(kind, {})
}

async function wholeLog(id: string): Promise<{ text: string; answers: number }> {
  let [text, position, answers] = ['', 0, 0]
  for (;;) {
    const next = await readLog(reader(), id, position)
    if (next.text === '') return { text, answers }
    text += next.text
    position = next.position
    answers++
  }
}

describe('the log of an execution', () => {
  it('keeps every line in its order, in few rows, and is whole when the end is told', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`)
    const id = await run(async (log) => {
      // Not waited for, as job code may.
      for (const line of lines) void log(line)
    })
    await expect.poll(async () => isFinal((await stateOf(id)) ?? ''), { timeout: 10_000 }).toBe(true)
    expect((await wholeLog(id)).text).toBe(`${lines.join('\r\n')}\r\n`)
    expect((await rowsOf(id)).length).toBeLessThan(10)
  })

  it('is read in answers of bounded size, also one that never pauses', async () => {
    const line = 'x'.repeat(100_000)
    const id = await run(async (log) => {
      for (let index = 0; index < 20; index++) await log(line)
    })
    await expect.poll(async () => isFinal((await stateOf(id)) ?? ''), { timeout: 10_000 }).toBe(true)
    const { text, answers } = await wholeLog(id)
    expect(text.length).toBe(20 * 100_002)
    expect(answers).toBeGreaterThan(5)
  })

  it('shows a line while the job goes on, and one that was written within a transaction', async () => {
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const id = await run(async (log) => {
      await log('first')
      await server.context().transaction(() => log('within'))
      await finished
      await log('last')
    })
    await expect.poll(async () => (await wholeLog(id)).text, { timeout: 5000 }).toBe('first\r\nwithin\r\n')
    expect(await stateOf(id)).toBe('RUNNING')
    finish()
    await expect.poll(async () => (await wholeLog(id)).text, { timeout: 5000 }).toBe('first\r\nwithin\r\nlast\r\n')
  })

  it('keeps the lines before a failure, and says why it failed after them', async () => {
    const id = await run(async (log) => {
      await log('before')
      throw new Error('the reason')
    })
    await expect.poll(() => stateOf(id), { timeout: 10_000 }).toBe('FAILURE')
    expect((await wholeLog(id)).text).toBe('before\r\nthe reason\r\n')
  })
})

describe('a batch of lines', () => {
  it('that could not be stored is stored with the next one, in its order', async () => {
    const stored: string[] = []
    let isAway = true
    const buffer = new LogBuffer(async (parts) => {
      if (isAway) throw new Error('The database is unavailable.')
      stored.push(...parts)
    })
    await buffer.add('one')
    await expect(buffer.flush()).rejects.toThrow('unavailable')
    await buffer.add('two')
    isAway = false
    await buffer.flush()
    await buffer.add('three')
    expect([...stored, ...(await buffer.close())].join('')).toBe('one\r\ntwo\r\nthree\r\n')
  })
})
