import { type PretendCloud, reply } from './cloud.ts'
import { serversAfter } from './nova.ts'

const project = '263fd9deadbeef0f29ec2a4ba9afb8a1'
const password = 'the-password-of-the-user'
const unauthorized = reply(
  { error: { code: 401, message: 'The request you have made requires authentication.', title: 'Unauthorized' } },
  401,
)

interface SignIn {
  auth: {
    identity: { password: { user: { name: string; password: string; domain: { name: string } } } }
    scope: 'unscoped' | { project: { id: string } }
  }
}

/** Keystone v3, Nova 2.1 and Glance v2. */
export const openstackCloud: PretendCloud = {
  provider: 'openstack',
  attrs: (url) => ({
    auth_url: `${url}/identity/v3/`,
    user_domain_name: 'Default',
    username: 'reader',
    password,
  }),
  wrong: { password: 'another-password' },
  region: `RegionOne:${project}`,
  strange: `RegionNine:${project}`,
  right: 'os_compute_api:servers:detail',
  isList: ({ path }) => path.endsWith('/servers/detail'),
  forbidden: reply(
    { forbidden: { code: 403, message: "Policy doesn't allow os_compute_api:servers:detail to be performed." } },
    403,
  ),
  throttled: reply({ overLimit: { code: 413, message: 'This request was rate-limited.' } }, 413, {
    'retry-after': '0',
  }),
  answer(request, machines, url) {
    const { path, query, headers } = request
    if (path === '/identity/v3/auth/tokens') {
      const { scope, identity } = (JSON.parse(request.body) as SignIn).auth
      const { user } = identity.password
      if (user.name !== 'reader' || user.domain.name !== 'Default' || user.password !== password) return unauthorized
      const token = { expires_at: new Date(Date.now() + 3_600_000).toISOString(), methods: ['password'] }
      if (scope === 'unscoped') return reply({ token }, 201, { 'x-subject-token': 'unscoped-token' })
      if (scope.project.id !== project) return unauthorized
      const service = (type: string, address: string) => ({
        type,
        endpoints: [
          { interface: 'admin', region_id: 'RegionOne', url: 'http://192.0.2.1/admin' },
          { interface: 'public', region_id: 'RegionOne', url: address },
        ],
      })
      const catalog = [service('compute', `${url}/compute/v2.1`), service('image', `${url}/image`)]
      return reply({ token: { ...token, catalog } }, 201, { 'x-subject-token': 'token-of-the-project' })
    }
    if (path === '/identity/v3/auth/projects')
      return headers['x-auth-token'] === 'unscoped-token'
        ? reply({ projects: [{ id: project, name: 'production', enabled: true }], links: {} })
        : unauthorized
    if (headers['x-auth-token'] !== 'token-of-the-project') return unauthorized
    if (path === '/image/v2/images' && query.get('os_type') === 'windows')
      return reply({ images: [{ id: 'image-of-windows', os_type: 'windows' }] })
    if (path !== '/compute/v2.1/servers/detail')
      return reply({ itemNotFound: { code: 404, message: 'not found' } }, 404)
    return serversAfter(query, machines, {
      // Servers of one page are fewer than were asked for.
      most: 60,
      more: ({ isWindows }) => ({ metadata: {}, image: isWindows ? { id: 'image-of-windows' } : '' }),
    })
  },
}
