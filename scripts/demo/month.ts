/** A month of use: what people, the gateway and the administrator do on each day, at the hour at which they do it. */
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { defaultOrgId } from '../../packages/contract/src/ids.ts'
import { ApiError, type Client, registerComponent } from '../../packages/testing/src/client.ts'
import type { RunningProduct } from '../../packages/testing/src/product.ts'
import { sequence } from '../../packages/testing/src/sequence.ts'
import { type Colleague, colleagues, type Workplace } from './company.ts'
import { addressOf, signInAs } from './sign-in-as.ts'
import { recordingOf, type Spoken, talks } from './talks.ts'
import type { SharedClock } from './time-travel.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const next = sequence(11)
const below = (limit: number) => Math.floor(next() * limit)
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T

/** What goes on at the end of a working day. */
export interface Going {
  /** The component that reports the sessions. */
  gateway: Client
  /** Ids of sessions that have not ended. */
  sessions: readonly string[]
}

/** What a month is made of. */
export interface Life {
  product: RunningProduct
  admin: () => Promise<Client>
  password: string
  clock: SharedClock
  workplaces: readonly Workplace[]
  /** Something else that happens on a day, with the number of days until today and what goes on. */
  also: (ago: number, going: Going) => Promise<unknown>
  days: number
  /** Unix milliseconds at which the day of today begins. */
  today: number
  progress?: (text: string) => void
}

/** A session that began and is reported whole in the evening. */
interface Begun {
  id: string
  start: number
  person: Colleague
  asset: Workplace
  account: string
  talk: Spoken
}

/** Protocol of the sessions of a kind of asset. */
const protocols: Readonly<Record<string, string>> = { hosts: 'ssh', devices: 'ssh' }

async function begin(gateway: Client, client: Client, person: Colleague, workplaces: readonly Workplace[]) {
  const near = workplaces.filter(({ team, path }) => team === person.team && protocols[path])
  if (near.length === 0) return undefined
  const asset = pick(near)
  const account = pick(asset.accounts)
  try {
    await client
      .collection('authentication/connection-token')
      .create({ asset: asset.id, account: account.name, protocol: 'ssh', connect_method: 'web_cli' })
  } catch (error) {
    // An asset that is disabled, or that the rules do not let this person reach.
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
  const me = await client.request<{ id: string }>('GET', '/api/v1/users/profile/')
  const start = Date.now()
  const { id } = await gateway.collection('terminal/sessions').create({
    id: randomUUID(),
    user: `${person.name}(${person.username})`,
    user_id: me.id,
    asset: `${asset.name}(${asset.address})`,
    asset_id: asset.id,
    account: `${account.name}(${account.username})`,
    account_id: account.id,
    protocol: 'ssh',
    login_from: pick(['WT', 'WT', 'ST'] as const),
    remote_addr: addressOf(person),
    type: 'normal',
    date_start: new Date(start).toISOString(),
    org_id: defaultOrgId,
  })
  return { id, start, person, asset, account: account.username, talk: pick(talks[asset.path] ?? []) }
}

/** Shows a running session to a colleague, as the menu of the terminal does. */
async function share(gateway: Client, admin: Client, one: Begun): Promise<void> {
  const others = colleagues.filter(({ team, username }) => team === one.person.team && username !== one.person.username)
  const helper = pick(others)
  const [joiner] = await admin.collection('users/users').all({ username: helper.username })
  const { id: sharing, verify_code } = await gateway
    .collection('terminal/session-sharings')
    .create({ session: one.id, expired_time: 10, users: [], origin: null })
  const joined = await gateway
    .collection('terminal/session-join-records')
    .create({ sharing, joiner: joiner?.id, verify_code, remote_addr: addressOf(helper) })
  await gateway.request('PATCH', `/api/v1/terminal/session-join-records/${joined.id}/finished/`, {})
}

async function sendRecording(gateway: Client, url: string, id: string, cast: string): Promise<void> {
  const path = `/api/v1/terminal/sessions/${id}/replay/`
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(gzipSync(cast))]), `${id}.cast.gz`)
  form.set('version', '3')
  const answer = await fetch(url + path, { method: 'POST', headers: gateway.proof('POST', path), body: form })
  if (!answer.ok) throw new ApiError('POST', path, answer.status, await answer.text())
}

async function finish(gateway: Client, url: string, one: Begun, isRecorded: boolean): Promise<void> {
  const { id, start, person, asset, account, talk } = one
  const succeeded = next() > 0.06
  const names = { user: `${person.name}(${person.username})`, asset: `${asset.name}(${asset.address})`, account }
  const step = 15 + below(60)
  if (succeeded)
    await gateway.request(
      'POST',
      '/api/v1/terminal/commands/',
      talk.map(({ input, output, risk }, at) => ({
        ...names,
        session: id,
        input,
        output,
        risk_level: risk ?? 0,
        timestamp: Math.floor(start / 1000) + at * step,
        org_id: defaultOrgId,
      })),
    )
  if (succeeded && next() < 0.3)
    await gateway.collection('audits/ftp-logs').create({
      id: randomUUID(),
      ...names,
      org_id: defaultOrgId,
      remote_addr: addressOf(person),
      operate: pick(['upload', 'download', 'download', 'mkdir', 'rename', 'delete']),
      filename: pick([
        '/var/log/nginx/access.log',
        '/srv/releases/shop-4.2.tar.gz',
        '/etc/hosts',
        '/home/deploy/notes.md',
      ]),
      is_success: next() > 0.1,
      session: id,
    })
  if (succeeded && isRecorded) await sendRecording(gateway, url, id, recordingOf(talk, asset.name, start))
  await gateway.collection('terminal/sessions').change(id, {
    is_success: succeeded,
    is_finished: true,
    has_replay: succeeded && isRecorded,
    has_command: succeeded,
    ...(succeeded ? {} : { error_reason: 'connect_failed' }),
    date_end: new Date(start + (talk.length * step + 20) * 1000).toISOString(),
  })
}

/** What an administrator changes in passing. */
async function administer(admin: Client, ago: number, workplaces: readonly Workplace[]): Promise<void> {
  const asset = pick(workplaces)
  await admin.collection(`assets/${asset.path}`).change(asset.id, {
    comment: pick([
      'Moved to the new rack',
      'Owner checked',
      'To be replaced next spring',
      'Serves the shop',
      'Backed up every night',
    ]),
  })
  if (ago % 6 === 3) await admin.collection('assets/labels').create({ name: 'review', value: `audit-${ago}` })
}

/** Somebody asks for access; it is granted or not two hours later, or still open today. */
async function requestAccess(life: Life, ago: number, client: Client): Promise<void> {
  const assets = [pick(life.workplaces), pick(life.workplaces)].map(({ id }) => id)
  const wish = {
    title: pick([
      'Access for the release',
      'Incident on call',
      'Read the logs of last night',
      'Migration of the shop',
      'Audit of the quarter',
    ]),
    org_id: defaultOrgId,
    apply_assets: assets,
    apply_nodes: [],
    apply_accounts: ['@ALL'],
    apply_actions: ['connect'],
    apply_date_start: new Date().toISOString(),
    apply_date_expired: new Date(Date.now() + 2 * day).toISOString(),
    comment: pick(['Until the work is done.', 'As agreed in the morning.', 'Only the two hosts that answer slowly.']),
  }
  const base = '/api/v1/tickets/apply-asset-tickets/'
  const { id } = await client.request<{ id: string }>('POST', `${base}open/`, wish)
  if (ago < 3) return
  await life.clock.moveTo(Date.now() + 2 * hour)
  const admin = await life.admin()
  if (ago % 4 === 1) await admin.request('PUT', `${base}${id}/reject/`, {})
  else await admin.request('PUT', `${base}${id}/approve/`, wish)
}

async function liveADay(life: Life, gateway: Client, ago: number, morning: number): Promise<void> {
  const { product, clock, workplaces, password } = life
  const isWeekend = [0, 6].includes(new Date(morning).getUTCDay())
  const working = colleagues.filter(() => next() < (isWeekend ? 0.08 : 0.22))
  await clock.moveTo(morning)
  const begun: Begun[] = []
  // Two come at the same time: most of a sign-in is work for one processor.
  for (let at = 0; at < working.length; at += 2) {
    const pair = working.slice(at, at + 2).map((person) => ({ person, isWrongFirst: next() < 0.12 }))
    await clock.moveTo(morning + (at * 8 * hour) / working.length + below(12) * minute)
    const clients = await Promise.all(
      pair.map(async ({ person, isWrongFirst }) => {
        if (isWrongFirst) await signInAs(product.url, person, 'not the password')
        return signInAs(product.url, person, password)
      }),
    )
    for (const [which, { person }] of pair.entries()) {
      const client = clients[which]
      if (!client) continue
      for (let count = 1 + below(2); count > 0; count--) {
        const one = await begin(gateway, client, person, workplaces)
        if (one) begun.push(one)
        if (one && at + which === 2 && ago % 2 === 0) await share(gateway, await life.admin(), one)
      }
      if (at + which === 1 && ago % 3 === 1) await requestAccess(life, ago, client)
    }
  }
  await life.also(ago, { gateway, sessions: begun.map(({ id }) => id) })
  await clock.moveTo(morning + 10 * hour)
  await administer(await life.admin(), ago, workplaces)
  await Promise.all(begun.map((one, at) => finish(gateway, product.url, one, at % 3 === 0)))
}

/** Lives the days before today. Afterwards the clock stands in the evening of yesterday. */
export async function liveAMonth(life: Life): Promise<void> {
  const { product, days, today, progress } = life
  const gateway = await registerComponent(product.url, product.bootstrapToken, '[KoKo]-frankfurt-1')
  for (let ago = days; ago > 0; ago--) {
    progress?.(`${days - ago + 1} of ${days} days`)
    await liveADay(life, gateway, ago, today - ago * day + 7 * hour)
  }
}
