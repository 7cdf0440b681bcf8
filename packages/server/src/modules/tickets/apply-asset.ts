import { allPermActions, permActionGroups, permActions, permActionTree } from '@castellan/contract/choices/perms'
import { say } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { ticketsMessages as texts } from '@castellan/contract/messages/tickets'
import {
  bits,
  datetime,
  type Field,
  json,
  longText,
  normalUuid,
  stringList,
  text,
  uuidsOf,
} from '../../kernel/fields/index.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import { created, defineRoute, type Handling } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, invalid, permissionDenied, text as problem } from '../../kernel/module/errors.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { createOne } from '../../kernel/resource/mutations.ts'
import { decoded, findAll, findById, getById, updateRow } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { newRowId } from '../../kernel/resource/row-id.ts'
import { serializeOne } from '../../kernel/resource/serialize.ts'
import { assetPermission, findAnyUser } from '../perms/index.ts'
import { decide, type EndedTicket } from './decide.ts'
import { levelsFor } from './flow.ts'
import { openTicket } from './open.ts'
import { demandOrganization } from './request-organization.ts'
import { type AssetRequest, assetTicket, type TicketRow, ticket } from './ticket.ts'

const ids = (): Field<string[], 'own'> => ({
  ...json<string[]>({ default: [] }),
  type: 'm2m_related_field',
  parse: uuidsOf,
})
/**
 * Without any, a request is for all accounts, and says so. A template of accounts (`%<id>`) creates accounts, which is no
 * part of a request; `@SPEC` only announces names.
 */
const accountNames = (): Field<string[], 'own'> => {
  const list = stringList({ default: ['@ALL'] })
  return {
    ...list,
    parse: (input, ctx) =>
      [list.parse?.(input, ctx) ?? []]
        .flat()
        .map((name) => String(name).trim())
        .filter((name) => name !== '' && name !== '@SPEC' && !name.startsWith('%')),
  }
}

/** What is asked for, and what an approver may change. */
const wishFields = {
  apply_nodes: ids(),
  apply_assets: ids(),
  apply_accounts: accountNames(),
  apply_actions: bits(permActions, permActionTree, permActionGroups.all, { default: 1 }),
  apply_date_start: datetime({ required: true }),
  apply_date_expired: datetime({ required: true }),
}
type Wish = {
  apply_nodes: string[]
  apply_assets: string[]
  apply_accounts: string[]
  apply_actions: number
  apply_date_start: number
  apply_date_expired: number
}
const openFields = {
  title: text({ max: 256, required: true }),
  org_id: text({ max: 36, required: true }),
  ...wishFields,
  comment: longText({ default: '' }),
}
const approveFields = { org_id: text({ max: 36, required: true }), ...wishFields }

function demandPeriod(ctx: Context, { apply_date_start: from, apply_date_expired: until }: Wish): void {
  if (until <= from) throw invalid({ apply_date_expired: [problem(texts.ends_before_start)] })
  if (until <= ctx.now) throw invalid({ apply_date_expired: [problem(texts.ends_in_past)] })
}

/** The rows among the ids that are in the organization, as `id` and the text of a snapshot. */
async function within(ctx: Context, orgId: string, kind: 'node' | 'asset', wanted: readonly string[]) {
  if (wanted.length === 0) return []
  const ids = [...new Set(wanted)]
  const rows = await findAll(ctx.inOrg(orgId), findResource(`assets.${kind}`), (query) =>
    query.where('t.id', 'in', ids),
  )
  return rows.map((row) => ({
    id: String(row.id),
    text: kind === 'node' ? String(row.full_value) : `${row.name}(${row.address})`,
  }))
}

/** What a ticket shows is what it grants, so nothing is left to be filled in later: what was not chosen is an error. */
function demandChosen({ nodes, assets, accounts, actions }: Omit<AssetRequest, 'permission_name'>): void {
  if (nodes.length + assets.length === 0)
    throw invalid({ apply_nodes: [problem(texts.nothing_left)], apply_assets: [problem(texts.nothing_left)] })
  if (accounts.length === 0) throw invalid({ apply_accounts: [problem(texts.no_account_chosen)] })
  if ((actions & allPermActions) === 0) throw invalid({ apply_actions: [problem(texts.no_action_chosen)] })
}

/** What a body asks for, reduced to what exists in the organization. Throws 400 when nothing is left of it. */
async function requested(ctx: Context, orgId: string, wish: Wish) {
  demandPeriod(ctx, wish)
  const nodes = await within(ctx, orgId, 'node', wish.apply_nodes)
  const assets = await within(ctx, orgId, 'asset', wish.apply_assets)
  const texted = (rows: readonly { text: string }[]) => rows.map((row) => row.text)
  const details = {
    nodes: nodes.map(({ id }) => id),
    assets: assets.map(({ id }) => id),
    accounts: wish.apply_accounts,
    actions: wish.apply_actions,
    date_start: wish.apply_date_start,
    date_expired: wish.apply_date_expired,
  }
  demandChosen(details)
  return {
    details,
    snapshot: { apply_nodes: texted(nodes), apply_assets: texted(assets) },
    relevantAsset: texted(assets).join('\n'),
  }
}

async function applicantOf(ctx: Context, body: unknown) {
  const named =
    ctx.can('tickets.add_superticket') && body && typeof body === 'object' && 'applicant' in body
      ? body.applicant
      : undefined
  if (!named) return ctx.me
  const found = await findAnyUser(ctx, String(named))
  if (!found) throw invalid({ applicant: [problem(errors.does_not_exist, { pk: String(named) })] })
  return found
}

async function open({ ctx, request }: Handling): Promise<unknown> {
  const values = readBody<Wish & { title: string; org_id: string; comment: string }>(ctx, openFields, request.body)
  const applicant = await applicantOf(ctx, request.body)
  const orgId = await demandOrganization(ctx, values.org_id, applicant.id)
  const { details, snapshot, relevantAsset } = await requested(ctx, orgId, values)
  const id = newRowId()
  const permission_name = say(texts.permission_name, ctx.language, {
    title: values.title.slice(0, 80),
    id: id.slice(-4),
  })
  const row = await openTicket(ctx, {
    ...{
      id,
      type: 'apply_asset',
      title: values.title,
      orgId,
      applicant,
      comment: values.comment,
      snapshot,
      relevantAsset,
    },
    details: { ...details, permission_name },
    levels: await levelsFor(ctx, 'apply_asset', orgId),
  })
  return created(await serializeOne(ctx, assetTicket, row, 'create'))
}

/** Whether the caller could give the permission without a ticket, and so may grant more than was asked for. */
async function mayGrantMore(ctx: Context, orgId: string): Promise<boolean> {
  if (ctx.me.isSuperuser) return true
  return (await ctx.services.permissionsOf(ctx, ctx.me, orgId)).has('perms.add_assetpermission')
}

/** Times on the wire have no milliseconds, so that an unchanged one comes back without them. */
const seconds = (at: number) => Math.floor(at / 1000)
const isPart = (some: readonly string[], all: readonly string[]) => some.every((one) => all.includes(one))

function isNarrower(next: Omit<AssetRequest, 'permission_name'>, asked: AssetRequest): boolean {
  return (
    isPart(next.nodes, asked.nodes) &&
    isPart(next.assets, asked.assets) &&
    (asked.accounts.includes('@ALL') || isPart(next.accounts, asked.accounts)) &&
    (next.actions & ~asked.actions) === 0 &&
    seconds(next.date_start) >= seconds(asked.date_start) &&
    seconds(next.date_expired) <= seconds(asked.date_expired)
  )
}

/** A table of what an approver changed, for the history. */
function changedTable(
  ctx: Context,
  before: AssetRequest,
  after: Omit<AssetRequest, 'permission_name'>,
  names: { before: Record<string, unknown>; after: Record<string, unknown> },
): string {
  const time = (at: number) => formatTimestamp(at, ctx.zone)
  const actions = (sum: number) =>
    permActions
      .filter(({ bit }) => sum & bit)
      .map(({ label }) => label[ctx.language])
      .join(', ')
  const list = (value: unknown) => [value ?? []].flat().join(', ')
  const rows: [string, string, string][] = [
    [texts.apply_nodes[ctx.language], list(names.before.apply_nodes), list(names.after.apply_nodes)],
    [texts.apply_assets[ctx.language], list(names.before.apply_assets), list(names.after.apply_assets)],
    [texts.apply_accounts[ctx.language], list(before.accounts), list(after.accounts)],
    [texts.apply_actions[ctx.language], actions(before.actions), actions(after.actions)],
    [texts.apply_date_start[ctx.language], time(before.date_start), time(after.date_start)],
    [texts.apply_date_expired[ctx.language], time(before.date_expired), time(after.date_expired)],
  ]
  const cell = (value: string) => value.replace(/[|\n]/g, ' ') || '-'
  const changed = rows.filter(([, old, now]) => old !== now).map((row) => `| ${row.map(cell).join(' | ')} |`)
  if (changed.length === 0) return ''
  const head = [texts.field, texts.before, texts.after].map((message) => message[ctx.language])
  return [`| ${head.join(' | ')} |`, '| --- | --- | --- |', ...changed].join('\n')
}

async function approve({ ctx, request, row }: Handling & { row: TicketRow }): Promise<unknown> {
  // Somebody who may only see the ticket learns nothing about the body.
  await demandCurrentAssignee(ctx, row)
  const values = readBody<Wish>(
    ctx,
    { ...approveFields, apply_accounts: { ...accountNames(), required: true, default: undefined } },
    request.body,
  )
  const asked = row.details as unknown as AssetRequest
  const { details, snapshot, relevantAsset } = await requested(ctx, row.organization_id, values)
  if (!(await mayGrantMore(ctx, row.organization_id)) && !isNarrower(details, asked))
    throw badRequest(problem(texts.only_narrower))
  const changes = changedTable(ctx, asked, details, { before: row.rel_snapshot, after: snapshot })
  await ctx.transaction(async (inside) => {
    await updateRow(inside, ticket, row.id, {
      details: { ...details, permission_name: asked.permission_name },
      rel_snapshot: { ...row.rel_snapshot, ...snapshot },
      relevant_asset: relevantAsset,
    })
    await decide(inside, row.id, 'approve', ctx.me, changes)
  })
  return 'ok'
}

async function demandCurrentAssignee(ctx: Context, row: TicketRow): Promise<void> {
  if (row.status !== 'open') throw badRequest(problem(texts.already_closed))
  const found = await ctx.rawDb
    .selectFrom('tickets_assignee')
    .select('ticket_id')
    .where('ticket_id', '=', row.id)
    .where('user_id', '=', ctx.me.id)
    .where('is_current', '=', true)
    .executeTakeFirst()
  if (!found) throw permissionDenied(problem(texts.not_assignee))
}

/** The permission of an approved request. Its id is the ticket's, so that it exists at most once. */
export async function grantPermission(ctx: Context, { row, state, processors }: EndedTicket): Promise<void> {
  if (row.type !== 'apply_asset' || state !== 'approved') return
  const asked = row.details as unknown as AssetRequest
  if (!row.applicant_id) throw badRequest(problem(texts.applicant_gone))
  if (asked.date_expired <= ctx.now) throw invalid({ apply_date_expired: [problem(texts.ends_in_past)] })
  const nodes = (await within(ctx, row.organization_id, 'node', asked.nodes)).map(({ id }) => id)
  const assets = (await within(ctx, row.organization_id, 'asset', asked.assets)).map(({ id }) => id)
  demandChosen({ ...asked, nodes, assets })
  const inOrg = ctx.inOrg(row.organization_id)
  if (await findById(inOrg, assetPermission, row.id)) return
  await createOne(inOrg, assetPermission, {
    id: row.id,
    name: asked.permission_name,
    users: [row.applicant_id],
    nodes,
    assets,
    accounts: asked.accounts,
    protocols: ['all'],
    actions: permActions.filter(({ bit }) => asked.actions & bit & allPermActions).map(({ value }) => value),
    date_start: new Date(asked.date_start).toISOString(),
    date_expired: new Date(asked.date_expired).toISOString(),
    comment: say(texts.permission_comment, ctx.language, {
      title: row.title,
      applicant: String(row.rel_snapshot.applicant ?? ''),
      processors: processors.join(', '),
      id: row.id,
    }),
  })
  await updateRow(inOrg, assetPermission, row.id, { from_ticket: true, created_by: `ApplyAssetTicket:${row.id}` })
}

export const assetRequestRoutes = [
  defineRoute({
    method: 'POST',
    path: `${assetTicket.url}open/`,
    requires: 'tickets.view_ticket',
    summary: 'Ask for access to assets',
    statuses: [201],
    fields: { POST: openFields as unknown as Record<string, Field> },
    describes: assetTicket.url,
    handle: open,
  }),
  defineRoute({
    method: ['PUT', 'PATCH'],
    path: `${assetTicket.url}:id/approve/`,
    requires: 'valid',
    summary: 'Approve a request for assets, with changes',
    fields: { PUT: approveFields as unknown as Record<string, Field> },
    describes: assetTicket.url,
    described: {
      id: { read_only: true },
      title: { read_only: true, required: false, max_length: undefined },
      comment: { read_only: true },
    },
    handle: async (handling) =>
      approve({ ...handling, row: decoded(ticket, await storedRow(handling.ctx, handling.request.params.id)) }),
  }),
]

const storedRow = async (ctx: Context, id: string | undefined) => {
  const seen = await getById(ctx, assetTicket, normalUuid(id) ?? '')
  return ctx.rawDb.selectFrom(ticket.table).selectAll().where('id', '=', seen.id).executeTakeFirstOrThrow()
}
