import { loginTypes } from '@castellan/contract/choices/audits'
import { auditsMessages } from '@castellan/contract/messages/audits'
import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../db/batches.ts'
import type { StoredRow } from '../../kernel/fields/field.ts'
import { booleanOf, cellOf, choice, computed, datetime, normalUuid, text } from '../../kernel/fields/index.ts'
import { formatTimestamp, localStamp } from '../../kernel/fields/timestamps.ts'
import { listOrFile } from '../../kernel/files/export.ts'
import { allColumnsFor, columnsFor, importRoute } from '../../kernel/files/import.ts'
import { defineRoute, type Handling, Reply } from '../../kernel/http/route.ts'
import { listOf } from '../../kernel/lists/paging.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, notFound, text as say } from '../../kernel/module/errors.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { cityOf } from '../../kernel/security/cities.ts'
import { loginsEnded } from '../authentication/index.ts'
import { presentSessions } from '../notifications/index.ts'
import { backendLabel, backendStored, cityLabel } from './login-facts.ts'
import { memberIds } from './members.ts'

const table = 'authentication_session'
/** The first half of a session's hashed key serves as its id, so that the key itself is not exposed. */
const idOf = (key: string) => normalUuid(key.slice(0, 32)) ?? ''

interface OnlineWire {
  id: string
  type: { value: 'W'; label: string }
  ip: string
  city: string | null
  user_agent: unknown
  user: { id: string; name: string; username: string }
  is_current_user_session: boolean
  backend: string
  backend_display: string
  is_active: boolean
  date_created: string
  date_expired: string
}

interface Online {
  key: string
  wire: OnlineWire
  /** Stored values, for filters. */
  facts: { ip: string; city: string; type: string; active: boolean }
}

/** Users signed in by a browser, newest first, within the caller's organization. */
async function online(ctx: Context): Promise<Online[]> {
  const members = await memberIds(ctx)
  const present = await presentSessions(ctx)
  const rows = await ctx.rawDb
    .selectFrom(`${table} as s`)
    .innerJoin('users_user as u', 'u.id', 's.user_id')
    .select(['s.key', 's.user_id', 's.data', 's.date_created', 's.date_expired', 'u.name', 'u.username'])
    .where('s.date_expired', '>', ctx.now)
    .orderBy('s.date_created', 'desc')
    .execute()
  return rows.flatMap((row): Online[] => {
    const data = JSON.parse(row.data) as StoredRow
    if (data.login_type !== 'W' || (members && !members.has(row.user_id))) return []
    const ip = String(data.login_ip ?? '')
    const city = cityOf(ctx.services, ip)
    const backend = backendStored(String(data.backend ?? ''))
    const active = present.has(row.key)
    return [
      {
        key: row.key,
        facts: { ip, city, type: 'W', active },
        wire: {
          id: idOf(row.key),
          type: { value: 'W', label: loginTypes.W[ctx.language] },
          ip,
          city: cityLabel(city, ctx.language),
          user_agent: data.user_agent ?? '',
          user: { id: row.user_id, name: row.name, username: row.username },
          is_current_user_session: row.key === ctx.session?.key,
          backend,
          backend_display: backendLabel(backend, ctx.language),
          is_active: active,
          date_created: formatTimestamp(Number(data.login_time ?? row.date_created), ctx.zone),
          date_expired: localStamp(Number(row.date_expired), ctx.zone).replaceAll('-', '/'),
        },
      },
    ]
  })
}

function fits({ wire, facts }: Online, query: Readonly<Record<string, string>>): boolean {
  const terms = (query.search ?? '')
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
  const words = [wire.id, facts.ip, facts.city, String(wire.city)].map((word) => word.toLowerCase())
  const active = query.is_active ? booleanOf(query.is_active) : undefined
  return (
    (!query.id || wire.id === query.id) &&
    (!query.ip || facts.ip === query.ip) &&
    (!query.city || facts.city === query.city || wire.city === query.city) &&
    (!query.type || facts.type === query.type) &&
    (active === undefined || facts.active === active) &&
    terms.every((term) => words.some((word) => word.includes(term)))
  )
}

function checked(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (query.type && !Object.hasOwn(loginTypes, query.type))
    throw invalid({ type: [say(errors.not_a_choice, { input: query.type })] })
  const id = query.id ? normalUuid(query.id) : ''
  if (id === undefined) throw invalid({ id: [say(errors.not_a_uuid, { input: query.id ?? '' })] })
  return { ...query, id }
}

const orders = ['type', 'ip', 'city', 'user_agent', 'backend', 'date_created'] as const
type Order = (typeof orders)[number]

/** The sort key of a row; timestamps on the wire are text of one time zone, which sorts chronologically. */
const rankOf = ({ wire, facts }: Online, name: Order): string =>
  name === 'type' || name === 'ip' || name === 'city' ? facts[name] : String(wire[name])

/** Sorts rows as requested; newest first when no name is known. */
function sorted(rows: Online[], wanted = ''): Online[] {
  const names = wanted.split(',').flatMap((part) => {
    const name = orders.find((one) => one === part.trim().replace(/^-/, ''))
    return name ? [{ name, sign: part.trim().startsWith('-') ? -1 : 1 }] : []
  })
  return rows.toSorted((a, b) => {
    for (const { name, sign } of names) {
      const [left, right] = [rankOf(a, name), rankOf(b, name)]
      if (left !== right) return left < right ? -sign : sign
    }
    return 0
  })
}

async function signOut({ ctx, request }: Handling): Promise<unknown> {
  const { ids } = (request.body ?? {}) as { ids?: unknown }
  const wanted = new Set((Array.isArray(ids) ? ids : []).map((id) => normalUuid(id)))
  const chosen = (await online(ctx)).filter(({ wire, key }) => wanted.has(wire.id) && key !== ctx.session?.key)
  for (const some of batches(chosen))
    await ctx.rawDb
      .deleteFrom(table)
      .where(
        'key',
        'in',
        some.map(({ key }) => key),
      )
      .execute()
  if (chosen.length > 0) await ctx.publish(loginsEnded, { userIds: chosen.map(({ wire }) => wire.user.id) })
  return new Reply(200)
}

const shown = computed('field', { wire: () => '' })
const fields = {
  id: text({ filter: true, order: false }),
  type: choice(loginTypes, { required: true, filter: true }),
  ip: text({ required: true, filter: true }),
  city: text({ max: 254, filter: true }),
  user_agent: text({ max: 254 }),
  user: { ...shown, type: 'object_related_field' as const, readOnly: false, toCell: cellOf },
  is_current_user_session: shown,
  backend: text({ max: 32 }),
  backend_display: shown,
  is_active: { ...shown, filter: true },
  date_created: datetime(),
  date_expired: datetime({ required: true, order: false }),
}

const path = '/api/v1/audits/user-sessions/'

/** Lists signed-in users and signs them out. */
export const userSessionRoutes = [
  importRoute({
    url: path,
    title: 'signed-in people',
    requires: 'superuser',
    fields,
    columns: columnsFor('audits', fields),
  }),
  defineRoute({
    method: 'GET',
    path,
    requires: 'audits.view_usersession',
    summary: 'Users who are signed in by a browser',
    fields: { GET: fields },
    listed: true,
    async handle({ ctx, request }) {
      const query = checked(request.query)
      const rows = (await online(ctx)).filter((one) => fits(one, query))
      return listOrFile(ctx, request, {
        name: 'usersession',
        columns: allColumnsFor('audits', fields)(ctx),
        list: listOf(sorted(rows, query.order).map(({ wire }) => wire)),
      })
    },
  }),
  defineRoute({
    method: 'POST',
    path,
    requires: 'superuser',
    summary: 'Rejected: a session begins with a sign-in',
    fields: { POST: fields },
    handle({ ctx, request }) {
      readBody(ctx, fields, request.body)
      throw invalid({ non_field_errors: [say(auditsMessages.session_not_made)] })
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${path}:id/`,
    requires: 'audits.view_usersession',
    summary: 'One browser session',
    fields: { GET: fields },
    async handle({ ctx, request }) {
      const id = normalUuid(request.params.id)
      const found = (await online(ctx)).find(({ wire }) => wire.id === id)
      if (!found) throw notFound(auditsMessages.usersession)
      return found.wire
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${path}offline/`,
    requires: 'audits.offline_usersession',
    summary: 'Sign users out',
    withoutBody: true,
    fields: { POST: fields },
    handle: signOut,
  }),
]
