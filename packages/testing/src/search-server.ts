import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { requirePart } from './detect.ts'
import { freePort } from './ports.ts'

/** A single node of OpenSearch, without its security plugin: it accepts every user. */
export interface SearchServer {
  /** With a name and a password, which it ignores. */
  host: string
  port: number
  /** Names of the indexes, sorted. */
  indexes(): Promise<string[]>
  call<T>(method: string, path: string, body?: object): Promise<T>
  stop(): Promise<void>
}

/** Starts OpenSearch with an empty folder. It takes some seconds. */
export async function startSearchServer(): Promise<SearchServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'castellan-search-'))
  const child = spawn(requirePart('opensearch'), [folder, String(port)], { stdio: ['pipe', 'pipe', 'ignore'] })
  const stop = async () => {
    child.stdin.end()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  let isReady = false
  for await (const line of createInterface(child.stdout)) {
    isReady = line === 'ready'
    if (isReady) break
  }
  child.stdout.resume()
  if (!isReady) {
    await stop()
    throw new Error('OpenSearch does not start.')
  }
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  // Its first requests are slow, and take longer than a storage is waited for on a busy machine.
  await call('PUT', '/warm-up/_doc/1?refresh=true', { word: 'warm' })
  await call('POST', '/warm-up/_search', { query: { match_all: {} } })
  await call('DELETE', '/warm-up')
  return {
    host: `http://castellan:s3cret-word@127.0.0.1:${port}`,
    port,
    call,
    async indexes() {
      const rows = await call<{ index: string }[]>('GET', '/_cat/indices?format=json')
      return rows.map(({ index }) => index).sort()
    },
    stop,
  }
}
