import { systemOrgId } from '@castellan/contract/ids'
import { appletLogs } from '@castellan/contract/messages/applet-logs'
import { batches } from '../../../db/batches.ts'
import { boolean, datetime, type Field, normalUuid, type StoredRow, text, uuid } from '../../../kernel/fields/index.ts'
import { isObject, objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { formatTimestamp } from '../../../kernel/fields/timestamps.ts'
import { defineRoute, type Handling, type Route } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import {
  failure,
  invalid,
  notAnObject,
  notFound,
  permissionDenied,
  text as say,
} from '../../../kernel/module/errors.ts'
import { nameOf } from '../../../kernel/module/texts.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { recordAction } from '../../../kernel/resource/changes.ts'
import { findAll, getById, updateRow } from '../../../kernel/resource/repository.ts'
import { serialize } from '../../../kernel/resource/serialize.ts'
import { account, openSecrets } from '../../accounts/index.ts'
import { componentOf } from '../../terminal/index.ts'
import { applet } from '../applet.ts'
import { type PublicationRow, publication } from '../publications.ts'
import { privatePrefix, publicPrefix } from './generate-accounts.ts'
import { appletHost, bindComponent, hostById, hostOfCaller } from './host.ts'
import type { HostRow } from './host-options.ts'

/** The host of the calling component. With an id in the path, only that one. Throws 403. */
async function ownHost({ ctx, request }: Handling): Promise<HostRow> {
  const host = await hostOfCaller(ctx)
  const named = request.params.id
  if (!host || (named !== undefined && normalUuid(named) !== host.id))
    throw permissionDenied(say(appletLogs.host_unknown))
  return host
}

/** The accounts that were generated for a host. Its component never learns of others, such as the administrator's. */
const generated = async (ctx: Context, hostId: string) =>
  (await findAll(ctx, account, (query) => query.where('t.asset_id', '=', hostId).orderBy('t.username'))).filter(
    ({ username, created_by, privileged }) =>
      created_by === 'System' &&
      !privileged &&
      (username.startsWith(publicPrefix) || username.startsWith(privatePrefix)),
  )

type Generated = Awaited<ReturnType<typeof generated>>

/** Accounts with their secrets, for the component that creates the users of Windows. The log has one entry for all. */
async function withSecrets(ctx: Context, hostId: string, rows: Generated): Promise<StoredRow[]> {
  const secrets = await openSecrets(ctx, 'account', rows)
  const host = await getById(ctx, appletHost, hostId)
  if (rows.length > 0)
    await ctx.transaction((inside) => recordAction(inside, appletHost, 'view', host, { accounts: rows.length }))
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    secret: secrets.get(row.id) ?? '',
    is_active: row.is_active,
    date_updated: formatTimestamp(row.date_updated, ctx.zone),
  }))
}

async function oneAccount(handling: Handling): Promise<{ hostId: string; row: Generated[number] }> {
  const host = await ownHost(handling)
  const row = (await generated(handling.ctx, host.id)).find(({ id }) => id === handling.request.params.pk)
  if (!row) throw notFound(nameOf(account))
  return { hostId: host.id, row }
}

async function activate(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const { hostId, row } = await oneAccount(handling)
  const { is_active } = readBody<{ is_active?: boolean }>(ctx, { is_active: boolean() as Field }, request.body)
  if (is_active !== undefined) await updateRow(ctx, account, row.id, { is_active, date_updated: ctx.now })
  const [now = row] = (await generated(ctx, hostId)).filter(({ id }) => id === row.id)
  return (await withSecrets(ctx, hostId, [now]))[0]
}

/** Publications of a host with the names of their applets. */
async function ownPublications(
  ctx: Context,
  hostId: string,
): Promise<{ row: PublicationRow; name: string; version: string }[]> {
  const rows = await findAll(ctx, publication, (query) => query.where('t.host_id', '=', hostId))
  const applets = new Map((await findAll(ctx, applet)).map(({ id, name, version }) => [id, { name, version }] as const))
  return rows.flatMap((row) => {
    const found = applets.get(String(row.applet_id))
    return found ? [{ row, ...found }] : []
  })
}

const shown = async (ctx: Context, rows: readonly PublicationRow[]): Promise<StoredRow[]> =>
  serialize(ctx, publication, rows, ['id', 'applet', 'host', 'status', 'comment', 'date_created', 'date_updated'])

async function publications(handling: Handling): Promise<unknown> {
  const host = await ownHost(handling)
  return shown(
    handling.ctx,
    (await ownPublications(handling.ctx, host.id)).map(({ row }) => row),
  )
}

async function onePublication(handling: Handling): Promise<unknown> {
  const host = await ownHost(handling)
  const wanted = handling.request.params.pk
  const found = (await ownPublications(handling.ctx, host.id)).find(
    ({ row, name }) => row.id === wanted || name === wanted,
  )
  if (!found) throw notFound(nameOf(publication))
  return (await shown(handling.ctx, [found.row]))[0]
}

const mostReports = 1000
const reportFields = { name: text({ max: 128, required: true }), version: text({ max: 64, blank: true }) }

/** Stores which applications a host has, as its component reports them. */
async function report(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const host = await ownHost(handling)
  const { body } = request
  if (!Array.isArray(body) || body.length > mostReports || !body.every(isObject))
    throw invalid({ non_field_errors: [notAnObject(body)] })
  const installed = new Map(
    body.map((item) => {
      const { name, version = '' } = readBody<{ name: string; version?: string }>(ctx, reportFields, {
        ...item,
        version: String(objectOf(item).version ?? ''),
      })
      return [name, version] as const
    }),
  )
  const own = await ownPublications(ctx, host.id)
  const statusOf = ({ name, version }: { name: string; version: string }) => {
    const found = installed.get(name)
    return found === undefined ? 'failed' : found === version ? 'success' : 'mismatch'
  }
  for (const [status, some] of Map.groupBy(own, statusOf))
    for (const part of batches(some.map(({ row }) => row.id)))
      await ctx.rawDb
        .updateTable(publication.table)
        .set({ status, date_updated: ctx.now })
        .where('id', 'in', part)
        .execute()
  await bindComponent(ctx, host.id, host.terminal_id)
  return publications(handling)
}

/** Makes the calling component that of a host that has none yet. */
async function startUp({ ctx, request }: Handling): Promise<unknown> {
  const component = await componentOf(ctx)
  const host = await hostById(ctx, request.params.id)
  if (!host) throw notFound(nameOf(appletHost))
  if (component?.type !== 'tinker') throw permissionDenied(say(appletLogs.host_type))
  if (host.terminal_id && host.terminal_id !== component.id)
    throw failure(403, 'permission_denied', say(appletLogs.host_bound))
  const other = await hostOfCaller(ctx)
  if (other && other.id !== host.id) throw permissionDenied(say(appletLogs.host_unknown))
  await bindComponent(ctx, host.id, component.id)
  return { msg: 'ok' }
}

const requires = 'terminal.view_applethost' as const
const url = appletHost.url
const accountAnswer = {
  id: uuid({ readOnly: true }),
  username: text({ readOnly: true }),
  secret: text({ readOnly: true }),
  is_active: boolean(),
  date_updated: datetime({ readOnly: true }),
}

const ofAgent = (route: Omit<Route, 'requires' | 'componentsOnly' | 'organization'>) =>
  defineRoute({ ...route, requires, componentsOnly: true, organization: systemOrgId })

/** What the component of a host calls, with the id of its host in the path or without. */
export const agentRoutes: Route[] = [
  ofAgent({
    method: 'POST',
    path: `${url}:id/startup/`,
    summary: 'Bind the calling component to a host',
    handle: startUp,
  }),
  ...[url, `${url}:id/`].flatMap((at) => [
    ofAgent({
      method: 'GET',
      path: `${at}accounts/`,
      summary: 'The generated accounts of the own host, with their secrets',
      fields: { GET: accountAnswer },
      handle: async (handling) => {
        const host = await ownHost(handling)
        return withSecrets(handling.ctx, host.id, await generated(handling.ctx, host.id))
      },
    }),
    ofAgent({
      method: 'GET',
      path: `${at}accounts/:pk/`,
      summary: 'A generated account of the own host, with its secret',
      handle: async (handling) => {
        const { hostId, row } = await oneAccount(handling)
        return (await withSecrets(handling.ctx, hostId, [row]))[0]
      },
    }),
    ofAgent({
      method: ['PUT', 'PATCH'],
      path: `${at}accounts/:pk/`,
      summary: 'Report that the user of a generated account exists',
      fields: { PUT: accountAnswer, PATCH: accountAnswer },
      handle: activate,
    }),
    ofAgent({
      method: 'GET',
      path: `${at}applets/`,
      summary: 'The applications of the own host',
      describes: publication.url,
      handle: publications,
    }),
    ofAgent({
      method: 'GET',
      path: `${at}applets/:pk/`,
      summary: 'An application of the own host, by its name',
      describes: publication.url,
      handle: onePublication,
    }),
    ofAgent({
      method: 'POST',
      path: `${at}applets/reports/`,
      summary: 'Report which applications the host has',
      describes: publication.url,
      handle: report,
    }),
  ]),
]
