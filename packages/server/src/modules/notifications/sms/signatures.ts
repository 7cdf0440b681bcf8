/** How the providers' documentation says that requests are signed. */
import { createHash, createHmac } from 'node:crypto'

const hmac = (algorithm: string, key: string | Buffer, text: string) => createHmac(algorithm, key).update(text)
const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex')

/** As Alibaba Cloud encodes: RFC 3986, all but letters, digits and `-_.~`. */
const percentEncoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * The parameters of an Alibaba Cloud RPC call with their `Signature` (version 1.0, HMAC-SHA1).
 * @param params all others, `SignatureNonce` and `Timestamp` included
 */
export function alibabaSigned(
  method: 'GET' | 'POST',
  params: Readonly<Record<string, string>>,
  secret: string,
): URLSearchParams {
  const canonical = Object.keys(params)
    .sort()
    .map((name) => `${percentEncoded(name)}=${percentEncoded(params[name] ?? '')}`)
    .join('&')
  const text = `${method}&${percentEncoded('/')}&${percentEncoded(canonical)}`
  return new URLSearchParams({ ...params, Signature: hmac('sha1', `${secret}&`, text).digest('base64') })
}

/**
 * The header `Authorization` of a Tencent Cloud API 3.0 call (TC3-HMAC-SHA256) with a JSON body.
 * @param at seconds since 1970
 */
export function tencentAuthorization(call: {
  readonly id: string
  readonly secret: string
  readonly host: string
  readonly service: string
  readonly body: string
  readonly at: number
}): string {
  const { id, secret, host, service, body, at } = call
  const date = new Date(at * 1000).toISOString().slice(0, 10)
  const signed = 'content-type;host'
  const headers = `content-type:application/json; charset=utf-8\nhost:${host}\n`
  const canonical = ['POST', '/', '', headers, signed, sha256Hex(body)].join('\n')
  const scope = `${date}/${service}/tc3_request`
  const text = ['TC3-HMAC-SHA256', String(at), scope, sha256Hex(canonical)].join('\n')
  const key = [date, service, 'tc3_request'].reduce<string | Buffer>(
    (outer, part) => hmac('sha256', outer, part).digest(),
    `TC3${secret}`,
  )
  return `TC3-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${signed}, Signature=${hmac('sha256', key, text).digest('hex')}`
}

/** The header `X-WSSE` of Huawei Cloud: a digest of nonce, time and secret. */
export function huaweiToken(key: string, secret: string, nonce: string, created: string): string {
  const digest = createHash('sha256')
    .update(nonce + created + secret)
    .digest('base64')
  return `UsernameToken Username="${key}",PasswordDigest="${digest}",Nonce="${nonce}",Created="${created}"`
}
