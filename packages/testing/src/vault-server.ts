import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { requirePart } from './detect.ts'
import { freePort } from './ports.ts'

/** HashiCorp Vault with its own API, in memory and unsealed. */
export interface VaultServer {
  url: string
  token: string
  /** A call of its API with the root token; the body of the answer. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  seal(): Promise<void>
  unseal(): Promise<void>
  stop(): Promise<void>
}

/** Starts a vault. `tls`: paths of a certificate and its key. */
export async function startVault(tls?: { certificate: string; key: string }): Promise<VaultServer> {
  const port = await freePort()
  const words = [`127.0.0.1:${port}`, ...(tls ? [tls.certificate, tls.key] : [])]
  const child = spawn(requirePart('vault'), words, { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { token, key } = JSON.parse(line) as { token: string; key: string }
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}/v1/${path}`, {
      method,
      headers: { 'x-vault-token': token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok)
      throw Object.assign(new Error(`${method} ${path}: ${answer.status} ${text}`), { status: answer.status })
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  // It listens before it has become active.
  for (let left = 200; !tls && left > 0; left--) {
    const answer = await fetch(`${url}/v1/sys/health`).catch(() => undefined)
    if (answer?.status === 200) break
    await delay(50)
  }
  return {
    url,
    token,
    call,
    seal: () => call('PUT', 'sys/seal'),
    async unseal() {
      await call('PUT', 'sys/unseal', { key })
      while ((await fetch(`${url}/v1/sys/health`)).status !== 200) await delay(50)
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}
