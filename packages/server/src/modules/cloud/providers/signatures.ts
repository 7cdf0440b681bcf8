import { createHash, createHmac } from 'node:crypto'

/** How the public clouds sign requests by a key pair. Pure: time and nonce are among the headers. */

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

export interface KeyPair {
  id: string
  secret: string
}

export interface ToSign {
  method: 'GET' | 'POST'
  path: string
  query?: Readonly<Record<string, string>>
  /** The headers that are signed, `host` among them; names in lower case. */
  headers: Readonly<Record<string, string>>
  body?: string
}

/** Percent-encoding of RFC 3986: only letters, digits and `-_.~` stay. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

const byName = ([one]: [string, string], [other]: [string, string]) => (one < other ? -1 : 1)

/** The query of an address, in the order and encoding in which it is signed. */
export const canonicalQuery = (query: Readonly<Record<string, string>> = {}): string =>
  Object.entries(query)
    .sort(byName)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')

function canonical({ method, path, query, headers, body = '' }: ToSign, cleaned = (value: string) => value.trim()) {
  const signed = Object.entries(headers).sort(byName)
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${cleaned(value)}\n`).join('')
  return { names, text: [method, path, canonicalQuery(query), lines, names, sha256(body)].join('\n') }
}

interface Scope {
  /** `AWS4-HMAC-SHA256` and its descendants. */
  algorithm: string
  region: string
  service: string
  /** As in the header that is signed: `20260102T030405Z`. */
  date: string
}

/** The signature of AWS, which other vendors use under names of their own. */
function signScoped(request: ToSign, { id, secret }: KeyPair, { algorithm, region, service, date }: Scope): string {
  const prefix = algorithm.replace('-HMAC-SHA256', '')
  const { names, text } = canonical(request)
  const day = date.slice(0, 8)
  const ending = `${prefix.toLowerCase()}_request`
  const scope = `${day}/${region}/${service}/${ending}`
  const key = [region, service, ending].reduce((last, part) => hmac(last, part), hmac(`${prefix}${secret}`, day))
  const signature = hmac(key, `${algorithm}\n${date}\n${scope}\n${sha256(text)}`).toString('hex')
  return `${algorithm} Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

/** Kingsoft Cloud signs as AWS does; the headers hold `x-amz-date`. */
export const signKingsoft = (request: ToSign, keys: KeyPair, region: string, service: string): string =>
  signScoped(request, keys, {
    algorithm: 'AWS4-HMAC-SHA256',
    region,
    service,
    date: request.headers['x-amz-date'] ?? '',
  })

/** JD Cloud; the headers hold `x-jdcloud-date` and `x-jdcloud-nonce`. */
export const signJd = (request: ToSign, keys: KeyPair, region: string, service: string): string =>
  signScoped(request, keys, {
    algorithm: 'JDCLOUD3-HMAC-SHA256',
    region,
    service,
    date: request.headers['x-jdcloud-date'] ?? '',
  })

/** Seconds for which a signature for Baidu AI Cloud holds. */
const baiduExpiration = 1800

/** Version 1 of Baidu AI Cloud; the headers hold `x-bce-date`. */
export function signBaidu({ method, path, query, headers }: ToSign, { id, secret }: KeyPair): string {
  const info = `bce-auth-v1/${id}/${headers['x-bce-date']}/${baiduExpiration}`
  const key = hmac(secret, info).toString('hex')
  const signed = Object.entries(headers).sort(byName)
  const lines = signed.map(([name, value]) => `${encoded(name)}:${encoded(value.trim())}`).join('\n')
  const signature = hmac(key, [method, path, canonicalQuery(query), lines].join('\n')).toString('hex')
  return `${info}/${signed.map(([name]) => name).join(';')}/${signature}`
}

/** QingCloud: the parameter `signature` for a query. */
export const signQing = (path: string, query: Readonly<Record<string, string>>, secret: string): string =>
  hmac(secret, `GET\n${path}\n${canonicalQuery(query)}`).toString('base64')

/** Signature V3 of Alibaba Cloud. */
export function signAliyun(request: ToSign, { id, secret }: KeyPair): string {
  const { names, text } = canonical(request)
  const signature = hmac(secret, `ACS3-HMAC-SHA256\n${sha256(text)}`).toString('hex')
  return `ACS3-HMAC-SHA256 Credential=${id},SignedHeaders=${names},Signature=${signature}`
}

/** Signature v3 of Tencent Cloud. `seconds`: the time of the header `x-tc-timestamp`. */
export function signTencent(request: ToSign, { id, secret }: KeyPair, service: string, seconds: number): string {
  const { names, text } = canonical(request, (value) => value.trim().toLowerCase())
  const day = new Date(seconds * 1000).toISOString().slice(0, 10)
  const scope = `${day}/${service}/tc3_request`
  const key = hmac(hmac(hmac(`TC3${secret}`, day), service), 'tc3_request')
  const signature = hmac(key, `TC3-HMAC-SHA256\n${seconds}\n${scope}\n${sha256(text)}`).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

/** The AK/SK signature of Huawei Cloud; the headers hold `x-sdk-date`. */
export function signHuawei(request: ToSign, { id, secret }: KeyPair): string {
  const path = request.path.endsWith('/') ? request.path : `${request.path}/`
  const { names, text } = canonical({ ...request, path })
  const date = request.headers['x-sdk-date'] ?? ''
  const signature = hmac(secret, `SDK-HMAC-SHA256\n${date}\n${sha256(text)}`).toString('hex')
  return `SDK-HMAC-SHA256 Access=${id}, SignedHeaders=${names}, Signature=${signature}`
}

/** The signature of UCloud: names and values in order, and the private key behind them. */
export function signUcloud(parameters: Readonly<Record<string, string>>, privateKey: string): string {
  const text = Object.entries(parameters).sort(byName).flat().join('')
  return createHash('sha1').update(`${text}${privateKey}`).digest('hex')
}
