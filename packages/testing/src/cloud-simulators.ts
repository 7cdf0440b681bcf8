import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { requirePart } from './detect.ts'
import { freePort } from './ports.ts'

/** A running simulator of a provider's API. */
export interface Simulator {
  host: string
  port: number
  url: string
  stop(): Promise<void>
}

/** Waits until somebody accepts connections. */
async function whenListening(port: number, child: ChildProcess): Promise<void> {
  for (let left = 1200; left > 0 && child.exitCode === null; left--) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return
    await delay(50)
  }
  throw new Error(`The simulator on port ${port} does not answer.`)
}

async function start(
  program: string,
  words: readonly string[],
  port: number,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Simulator> {
  const child = spawn(program, words, { stdio: 'ignore', env })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill()
    await once(child, 'exit')
  }
  try {
    await whenListening(port, child)
  } catch (error) {
    await stop()
    throw error
  }
  return { host: '127.0.0.1', port, url: `http://127.0.0.1:${port}`, stop }
}

/** Moto: the API of AWS. Accepts every key, and keeps what is made in memory. */
export async function startMoto(): Promise<Simulator> {
  const port = await freePort()
  return start(requirePart('moto'), ['-H', '127.0.0.1', '-p', String(port)], port)
}

/** A running Azurite with its only account. */
export interface Azurite extends Simulator {
  account: string
  /** Base64. */
  key: string
}

/** Azurite: Azure Blob Storage, by Microsoft. Checks signatures, and keeps what is stored in memory. */
export async function startAzurite(): Promise<Azurite> {
  const port = await freePort()
  const [account, key] = ['castellantest', randomBytes(32).toString('base64')]
  const memory = ['--inMemoryPersistence', '--extentMemoryLimit', '1024', '--disableTelemetry', '--silent']
  const words = ['--blobHost', '127.0.0.1', '--blobPort', String(port), ...memory]
  const env = { ...process.env, AZURITE_ACCOUNTS: `${account}:${key}` }
  return { ...(await start(requirePart('azurite'), words, port, env)), account, key }
}

/** Vcsim: the API of a vCenter server, with a certificate of its own. Accepts every user but one without a password. */
export async function startVcsim(machines: number): Promise<Simulator & { certificate: string }> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'castellan-vcsim-'))
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(folder, name)) as [string, string]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', ...subject]
  execFileSync(requirePart('openssl'), ['req', ...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const listening = [`-httptest.serve=127.0.0.1:${port}`, '-tlscert', certificate, '-tlskey', key]
  const simulator = await start(requirePart('vcsim'), [...listening, '-vm', String(machines)], port)
  return {
    ...simulator,
    certificate: readFileSync(certificate, 'utf8'),
    async stop() {
      await simulator.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
