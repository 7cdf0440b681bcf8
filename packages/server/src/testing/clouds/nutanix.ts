import { type PretendCloud, reply } from './cloud.ts'

const password = 'the-secret-of-the-user'

const failure = (reason: string, code: number) =>
  reply({ state: 'ERROR', code, message_list: [{ message: 'as the vendor words it', reason }] }, code)

interface ListRequest {
  kind: string
  offset: number
  length: number
}

/** Prism Central, API v3. */
export const nutanixCloud: PretendCloud = {
  provider: 'nutanix',
  attrs: (url) => ({ api_endpoint: url, access_key_id: 'viewer', access_key_secret: password }),
  wrong: { access_key_secret: 'another-secret' },
  region: 'default',
  strange: 'another',
  right: 'View_Virtual_Machine',
  isList: ({ path }) => path.endsWith('/vms/list'),
  forbidden: failure('ACCESS_DENIED', 403),
  throttled: reply({ state: 'ERROR', code: 429, message_list: [] }, 429, { 'retry-after': '0' }),
  answer(request, machines) {
    const expected = `Basic ${Buffer.from(`viewer:${password}`).toString('base64')}`
    if (request.headers.authorization !== expected) return failure('AUTHENTICATION_REQUIRED', 401)
    const { kind, offset, length } = JSON.parse(request.body) as ListRequest
    if (request.path !== '/api/nutanix/v3/vms/list' || kind !== 'vm') return failure('ENTITY_NOT_FOUND', 404)
    // The cluster gives fewer than were asked for.
    const some = machines.slice(offset, offset + Math.min(length, 60))
    return reply({
      api_version: '3.1',
      metadata: { kind: 'vm', offset, length: some.length, total_matches: machines.length },
      entities: some.map(({ id, name, address, publicAddress, isWindows }) => ({
        metadata: { kind: 'vm', uuid: id },
        status: {
          state: 'COMPLETE',
          name,
          resources: {
            guest_os_id: isWindows ? 'windows' : '',
            nic_list: [
              { ip_endpoint_list: [{ ip: address, type: 'ASSIGNED' }] },
              { ip_endpoint_list: [{ ip: publicAddress }] },
            ],
          },
        },
      })),
    })
  },
}
