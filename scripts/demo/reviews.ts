/** What happens only after somebody has agreed: sign-ins from outside, one host, one command. */
import { ApiError, type Client, signIn } from '../../packages/testing/src/client.ts'
import { colleagues } from './company.ts'
import type { Going } from './month.ts'
import { idOf, type Place } from './place.ts'
import { signInAs } from './sign-in-as.ts'

const accountant = 'marta.kowalczyk'
/** Addresses that are no office of the company. They are reserved for documentation. */
const outside = '198.51.100'

/** The rules, which ask the administrator. Returns the one about commands. */
async function makeRules(client: Client): Promise<string> {
  const me = await client.request<{ id: string }>('GET', '/api/v1/users/profile/')
  const asked = { action: 'review', reviewers: [me.id] }
  const everywhere = { ip_group: ['*'], time_period: [] }
  await client.collection('acls/login-asset-acls').create({
    ...{ name: 'The books of the year are opened by two', ...asked, priority: 35 },
    ...{ users: { type: 'all' }, accounts: ['@ALL'], rules: everywhere },
    assets: { type: 'attrs', attrs: [{ name: 'name', match: 'exact', value: 'ledger-03' }] },
  })
  await client.collection('acls/login-acls').create({
    ...{ name: 'Finance does not work outside alone', ...asked, priority: 30 },
    users: { type: 'attrs', attrs: [{ name: 'username', match: 'exact', value: accountant }] },
    rules: { ip_group: [`${outside}.0/24`], time_period: [] },
  })
  await client.collection('acls/connect-method-acls').create({
    ...{ name: 'Contractors use the web terminal', action: 'reject', connect_methods: ['ssh_client'] },
    users: { type: 'attrs', attrs: [{ name: 'name', match: 'contains', value: 'Sokolov' }] },
  })
  const restarts = { name: 'Restarts', type: 'command', content: 'systemctl restart', ignore_case: true }
  const group = await client.collection('acls/command-groups').create(restarts)
  const filter = await client.collection('acls/command-filter-acls').create({
    ...{ name: 'Restarts are agreed upon', ...asked, priority: 40, command_groups: [group.id], is_active: true },
    ...{ users: { type: 'all' }, assets: { type: 'all' }, accounts: ['@ALL'] },
  })
  return filter.id
}

/** Decides on what is open of a kind, except in the last days. */
async function decide({ admin }: Place, ago: number, kind: string): Promise<void> {
  if (ago < 3) return
  const client = await admin()
  const open = await client.collection(`tickets/${kind}`).all({ status: 'open' })
  const decision = ago % 3 === 0 ? 'reject' : 'approve'
  for (const { id } of open)
    await client.request('PUT', `/api/v1/tickets/${kind}/${id}/${decision}/`, {}).catch((error: unknown) => {
      // Closed meanwhile, because nobody waits for it any more.
      if (!(error instanceof ApiError) || error.status !== 400) throw error
    })
}

/** The accountant asks for the host that needs two. */
async function openBooks(place: Place, ago: number): Promise<void> {
  const client = await signIn(place.url, accountant, place.password)
  const asset = await idOf(client, 'perms/users/self/assets', 'ledger-03')
  const wish = { asset, account: 'root', protocol: 'ssh', connect_method: 'web_cli' }
  await client.request('POST', '/api/v1/authentication/connection-token/?create_ticket=1', wish)
  await decide(place, ago, 'apply-login-asset-tickets')
}

async function signInFromOutside(place: Place, ago: number): Promise<void> {
  const person = colleagues.find(({ username }) => username === accountant)
  if (person) await signInAs(place.url, person, place.password, `${outside}.${20 + ago}`)
  await decide(place, ago, 'apply-login-tickets')
}

async function askForRestart(place: Place, ago: number, rule: string, going: Going): Promise<void> {
  const [session] = going.sessions
  if (!session) return
  await going.gateway.request('POST', '/api/v1/acls/command-filter-acls/command-review/', {
    ...{ session_id: session, cmd_filter_acl_id: rule, run_command: 'systemctl restart nginx' },
  })
  await decide(place, ago, 'apply-command-tickets')
}

/** Creates the rules. Returns who asks on a day. */
export async function makeReviews(place: Place): Promise<(ago: number, going: Going) => Promise<void>> {
  const rule = await makeRules(await place.admin())
  return async (ago, going) => {
    if (ago % 7 === 2) await openBooks(place, ago)
    if (ago % 6 === 1) await signInFromOutside(place, ago)
    if (ago % 4 === 1) await askForRestart(place, ago, rule, going)
  }
}
