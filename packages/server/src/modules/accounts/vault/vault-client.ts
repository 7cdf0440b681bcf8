import { type ClientRequest, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { vaultMessages } from '@castellan/contract/messages/vault'
import { isObject, objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { ApiError, render, text as say, type Text } from '../../../kernel/module/errors.ts'
import { guardedLookup, isForbiddenAddress } from '../../../kernel/security/outgoing-addresses.ts'

/** How a vault is reached. */
export interface VaultAccess {
  address: string
  mount: string
  namespace: string
  /** PEM of the authority that signed its certificate; the public ones when it is empty. */
  ca: string
  token: string
  roleId: string
  secretId: string
}

/** Bytes of an answer: a secret has at most 40,960 characters. */
const longestAnswer = 512 * 1024
/** How long one call may take. Milliseconds. */
const patience = 10_000
/** Versions that the vault keeps of each secret. */
const versionsKept = 20

/** The vault cannot be used: 503 for users, a clear message for jobs. */
export class VaultFailure extends ApiError {
  readonly reason: Text

  constructor(reason: Text) {
    super(503, render(reason, 'en'), (language) => ({ detail: render(reason, language), code: 'vault_unavailable' }))
    this.reason = reason
  }
}

interface Answer {
  status: number
  body: unknown
}

type Method = 'GET' | 'POST' | 'DELETE'

const errorsOf = (body: unknown): string => {
  const { errors } = objectOf(body)
  const said = Array.isArray(errors) ? errors.filter((one) => typeof one === 'string').join(' ') : ''
  return said.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200)
}

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** The KV engine, version 2, of HashiCorp Vault or OpenBao. Follows no redirects, bounds answers, verifies certificates. */
export class VaultClient {
  readonly #access: VaultAccess
  #login: Promise<string> | undefined

  constructor(access: VaultAccess) {
    this.#access = access
  }

  /** The answer of the vault. @throws VaultFailure when it does not answer, or not like a vault */
  #exchange(method: Method, path: string, token: string, body: unknown): Promise<Answer> {
    const { address, namespace, ca } = this.#access
    const url = new URL(`/v1/${path}`, address)
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const failed = (reason: string) => new VaultFailure(say(vaultMessages.unreachable, { address: url.host, reason }))
    return new Promise((resolve, reject) => {
      const options = {
        method,
        signal: AbortSignal.timeout(patience),
        headers: {
          'x-vault-request': 'true',
          ...(token ? { 'x-vault-token': token } : {}),
          ...(namespace ? { 'x-vault-namespace': namespace } : {}),
          ...(sent === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
        },
        ...(ca ? { ca } : {}),
        lookup: guardedLookup,
      }
      if (isForbiddenAddress(url.hostname)) throw failed('ENOTFOUND')
      let call: ClientRequest
      try {
        call = url.protocol === 'https:' ? tlsRequest(url, options) : plainRequest(url, options)
      } catch (error) {
        // A setting that no request can carry: a header with other characters, a certificate that is none.
        return reject(failed((error as NodeJS.ErrnoException).code ?? 'invalid'))
      }
      call.on('error', (error: NodeJS.ErrnoException) =>
        reject(error instanceof VaultFailure ? error : failed(error.code ?? error.name)),
      )
      call.on('response', (answer) => {
        const parts: Buffer[] = []
        let size = 0
        answer.on('data', (part: Buffer) => {
          size += part.length
          if (size > longestAnswer) call.destroy(failed('an endless answer'))
          else parts.push(part)
        })
        answer.on('error', (error: Error) => reject(failed(error.name)))
        answer.on('end', () => {
          const said = Buffer.concat(parts).toString('utf8')
          try {
            resolve({ status: answer.statusCode ?? 0, body: said === '' ? {} : JSON.parse(said) })
          } catch {
            reject(new VaultFailure(say(vaultMessages.no_vault, { address: url.host })))
          }
        })
      })
      call.end(sent)
    })
  }

  /** The token, or that of a sign-in as an application. */
  async #token(): Promise<string> {
    const { token, roleId, secretId } = this.#access
    if (!roleId) return token
    this.#login ??= this.#exchange('POST', 'auth/approle/login', '', { role_id: roleId, secret_id: secretId }).then(
      (answer) => {
        this.#demand(answer)
        const { client_token: given } = objectOf(objectOf(answer.body).auth)
        if (typeof given !== 'string') throw this.#noVault()
        return given
      },
    )
    try {
      return await this.#login
    } catch (error) {
      this.#login = undefined
      throw error
    }
  }

  #noVault(): VaultFailure {
    return new VaultFailure(say(vaultMessages.no_vault, { address: new URL(this.#access.address).host }))
  }

  #demand({ status, body }: Answer): void {
    if (status >= 200 && status < 300) return
    const address = new URL(this.#access.address).host
    if (status === 503) throw new VaultFailure(say(vaultMessages.sealed, { address }))
    if (status === 403 || status === 400)
      throw new VaultFailure(say(vaultMessages.denied, { address, reason: errorsOf(body) || String(status) }))
    throw new VaultFailure(say(vaultMessages.failed, { address, status, reason: errorsOf(body) }))
  }

  async #send(method: Method, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.#exchange(method, path, await this.#token(), body)
    // The token of a sign-in ends; a new sign-in gets another one.
    if (answer.status !== 403 || !this.#access.roleId) return answer
    this.#login = undefined
    return this.#exchange(method, path, await this.#token(), body)
  }

  /** Makes sure that the engine is there; makes it when the token may. @throws VaultFailure */
  async ensureMount(): Promise<void> {
    const mount = encoded(this.#access.mount)
    const known = await this.#send('GET', `sys/internal/ui/mounts/${mount}`)
    if (known.status === 503 || (known.status >= 300 && known.status < 400)) this.#demand(known)
    if (known.status === 200) {
      const { type, options } = objectOf(objectOf(known.body).data)
      if (type === 'kv' && objectOf(options).version === '2') return
      throw type === undefined ? this.#noVault() : new VaultFailure(say(vaultMessages.other_engine, { mount }))
    }
    this.#demand(await this.#send('POST', `sys/mounts/${mount}`, { type: 'kv', options: { version: '2' } }))
    this.#demand(await this.#send('POST', `${mount}/config`, { max_versions: versionsKept }))
  }

  /** Stores a secret as a new version. `metadata`: what administrators of the vault see beside it. */
  async write(path: string, secret: string, metadata: Readonly<Record<string, string>>): Promise<void> {
    const mount = encoded(this.#access.mount)
    this.#demand(await this.#send('POST', `${mount}/data/${encoded(path)}`, { data: { secret } }))
    if (Object.keys(metadata).length > 0)
      this.#demand(await this.#send('POST', `${mount}/metadata/${encoded(path)}`, { custom_metadata: metadata }))
  }

  /** The newest version of a secret; undefined when there is none. */
  async read(path: string): Promise<string | undefined> {
    const answer = await this.#send('GET', `${encoded(this.#access.mount)}/data/${encoded(path)}`)
    if (answer.status === 404 && isObject(answer.body) && ('errors' in answer.body || 'data' in answer.body))
      return undefined
    this.#demand(answer)
    const { secret } = objectOf(objectOf(objectOf(answer.body).data).data)
    if (typeof secret !== 'string') throw this.#noVault()
    return secret
  }

  /** Removes a secret with all of its versions; one that is not there is no error. */
  async remove(path: string): Promise<void> {
    const answer = await this.#send('DELETE', `${encoded(this.#access.mount)}/metadata/${encoded(path)}`)
    if (answer.status !== 404) this.#demand(answer)
  }
}
