import { once } from 'node:events'
import { connect } from 'node:net'
import { connectSsh } from '@castellan/connectors/ssh'
import type { Client } from '@castellan/testing/client'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { JobWorker } from '../kernel/jobs/worker.ts'
import { findById } from '../kernel/resource/repository.ts'
import { account } from '../modules/accounts/account.ts'
import { secretRecord } from '../modules/accounts/rotation/record.ts'
import { openSecret } from '../modules/accounts/vault/vault-entries.ts'
import { startServer, type TestServer } from './server.ts'

export interface SecretRecord {
  id: string
  asset: { id: string } | null
  account: { id: string; name: string } | null
  execution: { id: string }
  status: 'pending' | 'success' | 'failed'
  is_success: boolean
  error: string | null
  error_code: string | null
  in_doubt: boolean
}

export interface ExecutionRow {
  id: string
  status: string
  automation: string | null
  date_finished: string | null
  snapshot: { accounts: string[] }
  summary: { total: number; success: number; failed: number; skipped: number; reason: { value: string } | null }
}

/** Instructions for a worker that is killed, as JSON in its environment. */
export interface RotationCrash {
  dataDir: string
  databaseUrl: string | undefined
  /** The execution after whose end it leaves. */
  task: string
  /** The transaction of the execution before whose commit it kills itself; the first one is 1. None: 0. */
  transaction: number
}

let count = 0
const fresh = (word: string) => `${word}-${++count}`

/** A server, a worker and a real sshd whose machine has accounts of its own, for tests that change secrets. */
export async function startRotation(options: { config?: string[]; targetReadyTimeout?: number } = {}) {
  const { targetReadyTimeout } = options
  const server = await startServer(targetReadyTimeout === undefined ? {} : { targetReadyTimeout })
  const sshd = await startSshd({ config: ['PermitRootLogin yes', ...(options.config ?? [])] })
  return new RotationBench(server, sshd)
}

export class RotationBench {
  readonly server: TestServer
  readonly sshd: RealSshd
  #worker: JobWorker | undefined

  constructor(server: TestServer, sshd: RealSshd) {
    this.server = server
    this.sshd = sshd
  }

  get admin(): Client {
    return this.server.admin
  }

  api<T>(method: string, path: string, body?: unknown, client = this.admin): Promise<T> {
    return client.request<T>(method, `/api/v1/accounts/${path}`, body)
  }

  async work(): Promise<void> {
    this.#worker = new JobWorker(this.server.application.services, () => undefined, { pollMs: 50 })
    await this.#worker.start()
  }

  async rest(): Promise<void> {
    await this.#worker?.stop()
    this.#worker = undefined
  }

  async stop(): Promise<void> {
    await this.rest()
    await this.server.close()
    await this.sshd.stop()
  }

  /** A host whose root signs in with a key, and a further account of the machine with its password. */
  async host(more: Record<string, unknown> = {}, client = this.admin) {
    const root = { username: 'root', secret_type: 'ssh_key', secret: this.sshd.privateKey, privileged: true }
    const asset = await client.collection('assets/hosts').create({
      name: fresh('host'),
      address: this.sshd.host,
      platform: 1,
      protocols: [{ name: 'ssh', port: this.sshd.port }],
      accounts: [root],
      ...more,
    })
    return String(asset.id)
  }

  async account(asset: string, body: Record<string, unknown>, client = this.admin): Promise<{ id: string }> {
    return client.request('POST', '/api/v1/accounts/accounts/', { asset, name: fresh('account'), ...body })
  }

  /** Turns secure mode off, so that privileged accounts are changed too. */
  async changePrivileged(): Promise<void> {
    const { settings, events } = this.server.application.services
    await this.server
      .context()
      .transaction(({ rawDb }) => settings.store(rawDb, events, { CHANGE_AUTH_PLAN_SECURE_MODE_ENABLED: false }))
    await settings.load()
  }

  /** A further account of the machine, stored with its password; a privileged one may become root by sudo. */
  async person(asset: string, { privileged = false } = {}) {
    const { username, password } = this.sshd.addAccount({ sudo: privileged })
    const { id } = await this.account(asset, { username, secret: password, privileged })
    return { id, username, password }
  }

  async plan(body: Record<string, unknown>, kind = 'change-secret', client = this.admin): Promise<string> {
    const made = await this.api<{ id: string }>(
      'POST',
      `${kind}-automations/`,
      {
        name: fresh('plan'),
        is_periodic: false,
        secret_type: 'password',
        secret_strategy: 'random',
        password_rules: { length: 20 },
        ...body,
      },
      client,
    )
    return made.id
  }

  async start(automation: string, kind = 'change-secret', client = this.admin): Promise<string> {
    return (await this.api<{ task: string }>('POST', `${kind}-executions/`, { automation }, client)).task
  }

  async taskEnded(task: string): Promise<void> {
    const { reader } = this.server.application.services.database
    for (;;) {
      const job = await reader.selectFrom('kernel_job').select('state').where('id', '=', task).executeTakeFirstOrThrow()
      if (!['PENDING', 'RUNNING'].includes(job.state)) return
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
  }

  async ended(task: string, kind = 'change-secret'): Promise<ExecutionRow> {
    await this.taskEnded(task)
    return this.api<ExecutionRow>('GET', `${kind}-executions/${task}/`)
  }

  /** Carries a plan out once. */
  async run(automation: string, kind = 'change-secret'): Promise<ExecutionRow> {
    return this.ended(await this.start(automation, kind), kind)
  }

  records(query: string): Promise<SecretRecord[]> {
    return this.api<SecretRecord[]>('GET', `change-secret-records/?${query}`)
  }

  async logOf(task: string): Promise<string> {
    const path = `/api/v1/ops/celery/task/${task}/task-execution/${task}/log/`
    return (await this.admin.request<{ data: string }>('GET', path)).data
  }

  itemsOf(task: string): Promise<{ status: { value: string }; error_code: string | null; error: string | null }[]> {
    return this.admin.request('GET', `/api/v1/ops/task-executions/${task}/items/`)
  }

  /** The current secret of an account, wherever it is stored. */
  async secretOf(id: string): Promise<string> {
    const ctx = this.server.context()
    const row = await findById(ctx, account, id)
    return row ? openSecret(ctx, 'account', row) : ''
  }

  /** Both secrets of a record, as they are stored. */
  async secretsIn(id: string): Promise<{ before: string; after: string }> {
    const row = await findById(this.server.context(), secretRecord, id)
    const open = (one: Parameters<TestServer['application']['services']['vault']['open']>[0] | null | undefined) =>
      one ? this.server.application.services.vault.open(one) : ''
    return { before: open(row?.old_secret), after: open(row?.new_secret) }
  }

  /** Whether the machine accepts a password or key of an account. */
  async accepts(username: string, secret: string, secretType = 'password'): Promise<boolean> {
    const stream = connect(this.sshd.port, this.sshd.host)
    await once(stream, 'connect')
    try {
      const client = await connectSsh({
        stream,
        credential: { username, secretType, secret },
        verifyHostKey: async () => undefined,
      })
      client.end()
      return true
    } catch (error) {
      if ((error as { level?: string }).level === 'client-authentication') return false
      throw error
    } finally {
      stream.destroy()
    }
  }
}
