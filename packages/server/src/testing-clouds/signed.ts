import { type KeyPair, signAliyun, signHuawei, signTencent } from '../modules/cloud/providers/signatures.ts'
import type { CloudRequest } from './cloud.ts'

export const keys: KeyPair = { id: 'AKIDEXAMPLE', secret: 'the-secret-of-the-key-pair' }
export const keyAttrs = { access_key_id: keys.id, access_key_secret: keys.secret }
export const wrongKey = { access_key_secret: 'another-secret' }

/** The request that its `Authorization` says was signed, as it arrived. */
function arrived(request: CloudRequest) {
  const { authorization = '' } = request.headers
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? []
  const headers = Object.fromEntries(names.map((name) => [name, request.headers[name] ?? '']))
  const { method, path, body } = request
  return { method: method as 'GET' | 'POST', path, query: Object.fromEntries(request.query), headers, body }
}

/** Headers without which a signature would protect nothing. */
const demands = (request: CloudRequest, ...names: string[]) =>
  names.every((name) => new RegExp(`SignedHeaders=[^,]*\\b${name}\\b`).test(request.headers.authorization ?? ''))

export const isSignedForAliyun = (request: CloudRequest): boolean =>
  demands(request, 'host', 'x-acs-action', 'x-acs-date', 'x-acs-signature-nonce', 'x-acs-content-sha256') &&
  Math.abs(Date.parse(request.headers['x-acs-date'] ?? '') - Date.now()) < 900_000 &&
  request.headers.authorization === signAliyun(arrived(request), keys)

export function isSignedForTencent(request: CloudRequest, service: string): boolean {
  const seconds = Number(request.headers['x-tc-timestamp'])
  return (
    demands(request, 'host', 'content-type') &&
    Math.abs(seconds * 1000 - Date.now()) < 300_000 &&
    request.headers.authorization === signTencent(arrived(request), keys, service, seconds)
  )
}

export const isSignedForHuawei = (request: CloudRequest): boolean =>
  demands(request, 'host', 'x-sdk-date') &&
  /^\d{8}T\d{6}Z$/.test(request.headers['x-sdk-date'] ?? '') &&
  request.headers.authorization === signHuawei(arrived(request), keys)
