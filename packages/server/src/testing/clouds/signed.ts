import {
  type KeyPair,
  signAliyun,
  signBaidu,
  signHuawei,
  signJd,
  signKingsoft,
  signTencent,
} from '../../modules/cloud/providers/signatures.ts'
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

/** A time in the compact form of AWS, which is not long ago. */
function isNow(stamp = ''): boolean {
  const [, date, time] = /^(\d{8})T(\d{6})Z$/.exec(stamp) ?? []
  const parts = `${date}${time}`.match(/\d{2}/g) ?? []
  const [c, y, m, d, hour, minute, second] = parts
  return Math.abs(Date.parse(`${c}${y}-${m}-${d}T${hour}:${minute}:${second}Z`) - Date.now()) < 300_000
}

export const isSignedForKingsoft = (request: CloudRequest, region: string): boolean =>
  demands(request, 'host', 'x-amz-date') &&
  isNow(request.headers['x-amz-date']) &&
  request.headers.authorization === signKingsoft(arrived(request), keys, region, 'kec')

export const isSignedForJd = (request: CloudRequest, region: string): boolean =>
  demands(request, 'host', 'x-jdcloud-date', 'x-jdcloud-nonce') &&
  isNow(request.headers['x-jdcloud-date']) &&
  request.headers.authorization === signJd(arrived(request), keys, region, 'vm')

export function isSignedForBaidu({ method, path, query, headers }: CloudRequest): boolean {
  const names = headers.authorization?.split('/')[4]?.split(';') ?? []
  const signed = Object.fromEntries(names.map((name) => [name, headers[name] ?? '']))
  return (
    names.includes('host') &&
    names.includes('x-bce-date') &&
    Math.abs(Date.parse(headers['x-bce-date'] ?? '') - Date.now()) < 300_000 &&
    headers.authorization ===
      signBaidu({ method: method as 'GET', path, query: Object.fromEntries(query), headers: signed }, keys)
  )
}
