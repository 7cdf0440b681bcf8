import { createHash, createHmac } from 'node:crypto'

export interface TestKey {
  readonly id: string
  readonly secret: string
}

interface Signing {
  /** As listed in the header; `(request-target) date` if absent. */
  readonly names?: string
  readonly date?: string
  /** Values of further headers. */
  readonly more?: Readonly<Record<string, string>>
}

/** The digest of a body as RFC 3230 has it. */
export const digestOf = (body: string | Uint8Array, algorithm: 'sha256' | 'sha512' = 'sha256'): string =>
  `SHA-${algorithm.slice(3)}=${createHash(algorithm).update(body).digest('base64')}`

/** Headers of a request signed by an access key. */
export function signedHeaders(
  key: TestKey,
  method: string,
  target: string,
  { names = '(request-target) date', date = new Date().toUTCString(), more = {} }: Signing = {},
): Record<string, string> {
  const values: Record<string, string> = { '(request-target)': `${method.toLowerCase()} ${target}`, date, ...more }
  const text = names
    .toLowerCase()
    .split(' ')
    .map((name) => `${name}: ${values[name] ?? ''}`)
    .join('\n')
  const signature = createHmac('sha256', key.secret).update(text).digest('base64')
  const fields = `keyId="${key.id}",algorithm="hmac-sha256",headers="${names}",signature="${signature}"`
  return { date, authorization: `Signature ${fields}`, ...more }
}
