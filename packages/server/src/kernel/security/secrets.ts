import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { Database } from '../../db/database.ts'

/**
 * Secrets at rest: AES-256-GCM under a data key; data keys are encrypted with the master key and stored in the
 * database. A sealed text has the form `s2.<data key id>.<nonce>.<tag>.<ciphertext>`, so that keys can be rotated while
 * running. It is bound to one column: an attacker who can write to the database cannot move a secret to a column that
 * is shown to them.
 */
const format = 's2'
/** Old format without binding to a column; secrets keep it until they are stored again. */
const formatOfAnyPlace = 's1'

/** The associated data that authenticates a sealed text. */
const labelOf = (version: string, keyId: string, place: string) =>
  version === formatOfAnyPlace ? keyId : [version, keyId, place].join(' ')

/** An encrypted secret. It has no text, JSON or log representation: it must be opened explicitly. */
export class Sealed {
  readonly #text: string
  /** The column it was read from, such as `accounts_account.secret`. */
  readonly place: string

  constructor(text: string, place: string) {
    this.#text = text
    this.place = place
  }

  /** The stored form, for codecs only. */
  stored(): string {
    return this.#text
  }

  toString(): string {
    return '******'
  }

  toJSON(): string {
    return '******'
  }

  [inspect.custom](): string {
    return 'Sealed(******)'
  }
}

/** A secret inside a JSON column: its sealed text. */
export interface SealedPart {
  sealed: string
}

export const isSealedPart = (value: unknown): value is SealedPart =>
  typeof value === 'object' && value !== null && 'sealed' in value

/** A value of a JSON column without the secrets in it: each is replaced, or left out where nothing replaces it. */
export function withoutSealedParts(value: unknown, replacement?: string): unknown {
  if (isSealedPart(value)) return replacement
  if (Array.isArray(value)) return value.map((one) => withoutSealedParts(one, replacement))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => [name, withoutSealedParts(one, replacement)] as const)
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined))
}

function encrypt(key: Buffer, plain: Buffer, label: string): [nonce: Buffer, tag: Buffer, cipher: Buffer] {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(label))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return [nonce, cipher.getAuthTag(), body]
}

function decrypt(key: Buffer, nonce: Buffer, tag: Buffer, body: Buffer, label: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  decipher.setAAD(Buffer.from(label))
  decipher.setAuthTag(tag)
  return Buffer.concat([decipher.update(body), decipher.final()])
}

export class Vault {
  readonly #keys = new Map<string, Buffer>()
  #current = ''

  /** Encrypts a text with the newest data key, bound to a column. */
  seal(plain: string, place: string): Sealed {
    const key = this.#keys.get(this.#current)
    if (!key) throw new Error('The vault has no data key: call openVault first.')
    const parts = encrypt(key, Buffer.from(plain, 'utf8'), labelOf(format, this.#current, place))
    return new Sealed([format, this.#current, ...parts.map((part) => part.toString('base64url'))].join('.'), place)
  }

  /**
   * The value to store in a column: a text is sealed for it, a secret of another column is sealed again, empty becomes
   * null.
   */
  stored(secret: Sealed | string | null | undefined, place: string): string | null {
    if (secret instanceof Sealed)
      return secret.place === place ? secret.stored() : this.seal(this.open(secret), place).stored()
    return secret ? this.seal(secret, place).stored() : null
  }

  /** Decrypts. Throws when the key is unknown, the sealed text was altered, or it is bound to another column. */
  open(sealed: Sealed): string {
    const [version, id, nonce, tag, body] = sealed.stored().split('.')
    const key = id === undefined ? undefined : this.#keys.get(id)
    const known = version === format || version === formatOfAnyPlace
    if (!known || !key || id === undefined || nonce === undefined || tag === undefined || body === undefined)
      throw new Error('A sealed secret cannot be opened: its data key is unknown.')
    const [n, t, b] = [nonce, tag, body].map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer, Buffer]
    return decrypt(key, n, t, b, labelOf(version, id, sealed.place)).toString('utf8')
  }

  addDataKey(id: string, key: Buffer): void {
    this.#keys.set(id, key)
    if (id > this.#current) this.#current = id
  }
}

/** The master key: environment `CASTELLAN_MASTER_KEY` (64 hex digits), else a key file created at first start. */
export function masterKey(dataDir: string, fromEnvironment = process.env.CASTELLAN_MASTER_KEY): Buffer {
  if (fromEnvironment) {
    if (!/^[0-9a-f]{64}$/i.test(fromEnvironment))
      throw new Error('CASTELLAN_MASTER_KEY must be 64 hexadecimal digits (32 bytes).')
    return Buffer.from(fromEnvironment, 'hex')
  }
  const file = join(dataDir, 'master.key')
  if (!existsSync(file)) {
    try {
      writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      // Another process of this installation created the key first; use its key.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  const text = readFileSync(file, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new Error(`The master key file ${file} is damaged; restore it from your backup.`)
  return Buffer.from(text, 'hex')
}

/** Decrypts the data keys with the master key; creates the first one in a new database. */
export async function openVault(database: Database, master: Buffer): Promise<Vault> {
  const vault = new Vault()
  await database.transaction(async (db) => {
    const rows = await db.selectFrom('kernel_data_key').selectAll().execute()
    if (rows.length === 0) {
      const id = Date.now().toString(36)
      const key = randomBytes(32)
      const sealed = encrypt(master, key, id)
        .map((part) => part.toString('base64url'))
        .join('.')
      await db.insertInto('kernel_data_key').values({ id, sealed, date_created: Date.now() }).execute()
      vault.addDataKey(id, key)
    }
    for (const { id, sealed } of rows) {
      const [nonce, tag, body] = String(sealed)
        .split('.')
        .map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer, Buffer]
      try {
        vault.addDataKey(id, decrypt(master, nonce, tag, body, id))
      } catch {
        throw new Error(
          'The master key does not belong to this database: restore the right master.key or CASTELLAN_MASTER_KEY.',
        )
      }
    }
  })
  return vault
}
