import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '../module/errors.ts'
import { boundedParser, isTooHard } from './parse-bounded.ts'

let folder: string
let file: string
const parsers = `
import { setTimeout } from 'node:timers/promises'

export const echo = (value) => value
export const spin = () => { for (;;); }
export const fill = () => { const all = []; for (;;) all.push({ all: [all.length] }) }
export const deep = () => { const call = (n) => call(n + 1) + 1; return call(0) }
export const fail = () => { throw new Error('not a document') }
export const environment = () => Object.keys(process.env)
export const wait = async (flag) => { while (Atomics.load(flag, 0) === 0) await setTimeout(5) }
`
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-parsers-'))
  file = join(folder, 'parsers.mjs')
  writeFileSync(file, parsers)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const parser = (name: string, milliseconds = 10_000) =>
  boundedParser<(value?: unknown) => unknown>(file, name, { milliseconds, megabytes: 64, lane: 'short' })
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (error: unknown) => error,
  )

describe('a parser of documents of users', () => {
  it('is ended beyond its time, memory or depth, and works on afterwards', async () => {
    for (const [name, milliseconds] of [
      ['spin', 100],
      ['fill', 60_000],
      ['deep', 10_000],
    ] as const) {
      const error = await errorOf(parser(name, milliseconds)('one'))
      expect([name, isTooHard(error), (error as ApiError).status]).toEqual([name, true, 400])
      expect(await parser('echo')('one', { a: [1] })).toEqual({ a: [1] })
    }
  })

  it('fails as itself, and knows nothing of the program around it', async () => {
    const error = await errorOf(parser('fail')('one'))
    expect(error).not.toBeInstanceOf(ApiError)
    expect(String(error)).toContain('not a document')
    expect(await parser('environment')('one')).toEqual([])
  })

  it('leaves others a thread, and refuses more than some waiting documents of one user', async () => {
    const flag = new Int32Array(new SharedArrayBuffer(4))
    const waiting = Array.from({ length: 30 }, () => errorOf(parser('wait')('one', flag)))
    const refused = await Promise.race(waiting)
    expect((refused as ApiError).status).toBe(429)
    // While every turn of the one is taken.
    expect(await parser('echo')('another', 'answered')).toBe('answered')
    Atomics.store(flag, 0, 1)
    const ends = await Promise.all(waiting)
    expect(ends.filter((end) => end === 'nothing').length).toBeGreaterThanOrEqual(16)
  })
})
