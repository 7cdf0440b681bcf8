import { createPrivateKey, sign } from 'node:crypto'
import { cloudErrors } from '@castellan/contract/messages/cloud'
import { type Field, secret } from '../../../kernel/fields/index.ts'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import { reject } from '../../../kernel/module/errors.ts'
import type { Sealed } from '../../../kernel/security/secrets.ts'
import { parseJson } from '../../../kernel/untrusted/json.ts'

/** The parts of a key file of a service account that are needed. Its addresses are not: they could lead the key elsewhere. */
export interface ServiceAccountKey {
  client_email: string
  private_key: string
  private_key_id: string
  project_id: string
}

const names = ['client_email', 'private_key', 'private_key_id', 'project_id'] as const

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

function parsedKey(input: unknown): ServiceAccountKey | undefined {
  let file: unknown = input
  if (typeof input === 'string')
    try {
      file = parseJson(input)
    } catch {
      return undefined
    }
  if (!isObject(file)) return undefined
  const found = file
  const values = names.map((name) => found[name])
  if (!values.every((value) => typeof value === 'string' && value !== '' && value.length <= 8192)) return undefined
  const key = Object.fromEntries(names.map((name, at) => [name, values[at]])) as unknown as ServiceAccountKey
  return isRsaKey(key.private_key) ? key : undefined
}

/** The key file of a service account, as text or as an object. */
export function serviceAccountKey(): Field<Sealed | null, 'own'> {
  const plain = secret({ required: true, max: 32_768 })
  return {
    ...plain,
    parse(input, ctx) {
      const text = typeof input === 'string' ? plain.parse?.(input, ctx) : input
      const key = parsedKey(text) ?? reject(cloudErrors.not_a_service_account_key)
      // Sealed as text like every secret.
      return JSON.stringify(key) as unknown as Sealed
    },
  }
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What a service account shows to get a token: a JWT, signed by its key. */
export function assertion(key: ServiceAccountKey, { scope, audience }: { scope: string; audience: string }): string {
  const now = Math.floor(Date.now() / 1000)
  const header = part({ alg: 'RS256', typ: 'JWT', kid: key.private_key_id })
  const claims = part({ iss: key.client_email, scope, aud: audience, iat: now, exp: now + 3600 })
  const signature = sign('sha256', Buffer.from(`${header}.${claims}`), key.private_key).toString('base64url')
  return `${header}.${claims}.${signature}`
}
