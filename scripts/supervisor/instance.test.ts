import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const module = fileURLToPath(new URL('instance.mjs', import.meta.url))
let folder: string
beforeEach(() => {
  folder = mkdtempSync(
    join(tmpdir(), 'an-instance-in-a-folder-with-a-name-so-long-that-no-socket-could-have-it-as-its-path-'),
  )
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A process that locks the folder and reports it, or prints why it could not. */
function claimant() {
  const file = join(folder, 'claim.mjs')
  writeFileSync(
    file,
    `import { claim } from ${JSON.stringify(module)}
     const status = { pid: process.pid, url: 'http://here', sshPort: 1, gatewayHttpPort: 2, ready: true, programs: {} }
     try { await claim(${JSON.stringify(folder)}, () => status); console.log('claimed'); setInterval(() => {}, 1000) }
     catch (reason) { console.log(reason.message) }`,
  )
  const started = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { started, first: once(started.stdout, 'data').then(([text]) => `${text}`.trim()) }
}

it('has its data folder for itself until it ends, however it ends', async () => {
  const one = claimant()
  expect(await one.first).toBe('claimed')
  const two = claimant()
  expect(await two.first).toContain(`is in use by a running instance (process ${one.started.pid}, http://here)`)
  one.started.kill('SIGKILL')
  await once(one.started, 'close')
  const three = claimant()
  expect(await three.first).toBe('claimed')
  three.started.kill('SIGKILL')
  await once(three.started, 'close')
})
