import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { log } from '../log.ts'
import { type ServerHttp, ServerRefusal } from './http.ts'
import type { AccessKey } from './signature.ts'

interface Registered {
  service_account: { access_key: { id: string; secret: string } }
}

/** Registers the component at first start, and again when its key is rejected. */
export class Registration {
  private readonly http: ServerHttp
  private readonly stateDir: string
  private readonly name: string
  private readonly bootstrapToken: string | undefined
  private running: Promise<boolean> | undefined
  private lastTry = 0

  constructor(http: ServerHttp, options: { stateDir: string; name: string; bootstrapToken: string | undefined }) {
    this.http = http
    this.stateDir = options.stateDir
    this.name = options.name
    this.bootstrapToken = options.bootstrapToken
    http.onUnauthorized = () => this.renew()
  }

  private get file(): string {
    return join(this.stateDir, 'access-key.json')
  }

  /**
   * Loads the key of an earlier start or registers. Throws when the server is unavailable or rejects the registration.
   */
  async establish(): Promise<void> {
    await mkdir(this.stateDir, { recursive: true, mode: 0o700 })
    this.http.key = await this.load()
    if (this.http.key) {
      const answer = await this.http.send('GET', '/api/v1/users/profile/')
      if (answer.status === 200) return
      if (answer.status !== 401) throw new ServerRefusal('GET', '/api/v1/users/profile/', answer.status, answer.body)
      log.warn('the server no longer accepts our key')
    }
    await this.register()
  }

  /**
   * Registers again after a 401; requests rejected at the same time share one registration, at most one in ten seconds.
   */
  private renew(): Promise<boolean> {
    if (this.running) return this.running
    if (Date.now() - this.lastTry < 10_000) return Promise.resolve(false)
    this.lastTry = Date.now()
    this.running = (async () => {
      try {
        const check = await this.http.send('GET', '/api/v1/users/profile/')
        if (check.status !== 401) return false
        await this.register()
        return true
      } catch (error) {
        log.error({ err: error }, 'registering again failed')
        return false
      } finally {
        this.running = undefined
      }
    })()
    return this.running
  }

  private async register(): Promise<void> {
    if (!this.bootstrapToken) throw new Error('BOOTSTRAP_TOKEN is not set, so this gateway cannot register')
    const token = `BootstrapToken ${this.bootstrapToken}`
    const post = (name: string) =>
      this.http.call<Registered>('POST', '/api/v1/terminal/terminal-registrations/', {
        body: { name, type: 'koko', comment: 'Castellan gateway' },
        headers: { authorization: token },
        signed: false,
      })
    let registered: Registered
    try {
      registered = await post(this.name)
    } catch (error) {
      // The name belongs to an earlier registration whose key is lost.
      if (!(error instanceof ServerRefusal && error.status === 400 && 'name' in (error.body as object))) throw error
      registered = await post(`${this.name}-${Date.now().toString(36)}`)
    }
    const { id, secret } = registered.service_account.access_key
    this.http.key = { id, secret }
    const draft = `${this.file}.new`
    await writeFile(draft, JSON.stringify({ id, secret }), { mode: 0o600 })
    await rename(draft, this.file)
    log.info({ name: this.name }, 'registered')
  }

  private async load(): Promise<AccessKey | undefined> {
    try {
      const key = JSON.parse(await readFile(this.file, 'utf8')) as Partial<AccessKey>
      return key.id && key.secret ? { id: key.id, secret: key.secret } : undefined
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.warn({ err: error }, 'the stored key is not readable')
      return undefined
    }
  }
}
