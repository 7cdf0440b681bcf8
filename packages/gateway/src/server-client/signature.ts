import { createHmac } from 'node:crypto'

export interface AccessKey {
  id: string
  secret: string
}

/** HTTP signature of one request: HMAC-SHA256 over the request target and date. `target` is the path with its query. */
export function signatureHeaders(
  key: AccessKey,
  method: string,
  target: string,
): { authorization: string; date: string } {
  const date = new Date().toUTCString()
  const text = `(request-target): ${method.toLowerCase()} ${target}\ndate: ${date}`
  const signature = createHmac('sha256', key.secret).update(text).digest('base64')
  const fields = `keyId="${key.id}",algorithm="hmac-sha256",headers="(request-target) date",signature="${signature}"`
  return { authorization: `Signature ${fields}`, date }
}
