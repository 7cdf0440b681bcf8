import { generateKeyPairSync, verify } from 'node:crypto'
import { type CloudRequest, type PretendCloud, reply } from './cloud.ts'

const region = 'europe-west1'
const project = 'castellan-test'
const pageSize = 60

const pairOf = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const pair = pairOf()

/** The key file that Google Cloud makes for a service account. */
export const keyFile = (more: object = {}) => ({
  type: 'service_account',
  project_id: project,
  private_key_id: '4f2d',
  private_key: pair.privateKey,
  client_email: 'reader@castellan-test.iam.gserviceaccount.com',
  client_id: '100000000000000000001',
  auth_uri: 'https://accounts.google.com/o/oauth2/auth',
  token_uri: 'https://oauth2.googleapis.com/token',
  ...more,
})

const failure = (reason: string, code: number) =>
  reply({ error: { code, message: 'as the vendor words it', errors: [{ domain: 'global', reason }] } }, code)

/** Whether the assertion is the service account's own, signed by its key. */
function isAuthentic(body: string): boolean {
  const form = new URLSearchParams(body)
  const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const { iss, aud, exp, iat, scope } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
    string,
    unknown
  >
  return (
    form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
    iss === 'reader@castellan-test.iam.gserviceaccount.com' &&
    aud === 'https://oauth2.googleapis.com/token' &&
    scope === 'https://www.googleapis.com/auth/compute.readonly' &&
    Number(exp) - Number(iat) === 3600 &&
    verify('sha256', Buffer.from(`${header}.${claims}`), pair.publicKey, Buffer.from(signature, 'base64url'))
  )
}

const zoneOf = ({ path }: CloudRequest) => /\/zones\/([^/]+)\/instances$/.exec(path)?.[1]

/** Compute Engine v1. Its machines are in two zones of a region. */
export const googleCloud: PretendCloud = {
  provider: 'gcp',
  attrs: () => ({ service_account_key: keyFile() }),
  wrong: { service_account_key: keyFile({ private_key: pairOf().privateKey }) },
  region,
  strange: 'europe-nowhere9',
  right: 'compute.instances.list',
  isList: (request) => zoneOf(request) !== undefined,
  forbidden: failure('forbidden', 403),
  throttled: failure('rateLimitExceeded', 403),
  answer(request, machines) {
    if (request.host === 'oauth2.googleapis.com')
      return isAuthentic(request.body)
        ? reply({ access_token: 'token-of-the-account', expires_in: 3599, token_type: 'Bearer' })
        : reply({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }, 400)
    if (request.host !== 'compute.googleapis.com' || request.headers.authorization !== 'Bearer token-of-the-account')
      return failure('authError', 401)
    const base = `/compute/v1/projects/${project}`
    const zones = ['b', 'c'].map((one) => `${region}-${one}`)
    const one = {
      kind: 'compute#region',
      name: region,
      zones: zones.map((zone) => `https://www.googleapis.com${base}/zones/${zone}`),
    }
    if (request.path === `${base}/regions`) return reply({ kind: 'compute#regionList', items: [one] })
    if (request.path === `${base}/regions/${region}`) return reply(one)
    const at = zones.indexOf(zoneOf(request) ?? '')
    if (at < 0) return failure('notFound', 404)
    const own = machines.filter((_, index) => index % 2 === at)
    const from = Number(request.query.get('pageToken') ?? 0)
    const items = own.slice(from, from + pageSize).map(({ id, name, address, publicAddress, isWindows }) => ({
      kind: 'compute#instance',
      id,
      name,
      // Switched off, not gone.
      status: 'TERMINATED',
      disks: [{ boot: true, guestOsFeatures: isWindows ? [{ type: 'WINDOWS' }] : [{ type: 'UEFI_COMPATIBLE' }] }],
      networkInterfaces: [{ networkIP: address, accessConfigs: [{ natIP: publicAddress }] }],
    }))
    return reply({
      kind: 'compute#instanceList',
      ...(items.length > 0 ? { items } : {}),
      ...(from + pageSize < own.length ? { nextPageToken: String(from + pageSize) } : {}),
    })
  },
}
