import { operateActions } from '@castellan/contract/choices/audits'
import { sessionOrigins } from '@castellan/contract/choices/terminal'
import { rootOrgId, systemOrgId } from '@castellan/contract/ids'
import { type Message, say } from '@castellan/contract/messages'
import { auditsMessages as texts } from '@castellan/contract/messages/audits'
import { operateResourceLabel } from '@castellan/contract/operate-resources'
import type { TableRow } from '../../db/schema.ts'
import type { StoredRow } from '../../kernel/fields/field.ts'
import { computed, normalUuid, text } from '../../kernel/fields/index.ts'
import { localStamp } from '../../kernel/fields/timestamps.ts'
import { listOrFile } from '../../kernel/files/export.ts'
import { allColumnsFor } from '../../kernel/files/import.ts'
import { defineRoute } from '../../kernel/http/route.ts'
import { listOf } from '../../kernel/lists/paging.ts'
import type { Context } from '../../kernel/module/context.ts'
import { activityTable } from './activity-log.ts'
import { type OperateRow, operateLog } from './operate-log.ts'

/** Maximum number of rows read per kind, and returned. */
const most = 30

/**
 * Organizations whose activities are visible to the caller; undefined for all. Activities without an organization, such
 * as sign-ins, are shown for members only.
 */
async function within(ctx: Context, id: string): Promise<readonly string[] | undefined> {
  if (ctx.isRootOrg) return undefined
  const member = await ctx.rawDb
    .selectFrom('rbac_rolebinding')
    .select('id')
    .where('user_id', '=', id)
    .where('org_id', '=', ctx.orgId)
    .executeTakeFirst()
  return member ? [ctx.orgId, systemOrgId, rootOrgId, ''] : [ctx.orgId]
}

/** What the activity list reads of an entry of the operate log. */
type Operation = Pick<OperateRow, 'id' | 'user' | 'action' | 'resource_type' | 'resource' | 'datetime'>

async function operations(ctx: Context, id: string, orgs: readonly string[] | undefined): Promise<Operation[]> {
  const of = (column: 'resource_id' | 'user_id') => {
    const query = ctx.acrossOrganizations
      .selectFrom(operateLog.table)
      .select(['id', 'user', 'action', 'resource_type', 'resource', 'datetime', 'diff'])
      .where(column, '=', id)
      .orderBy('datetime', 'desc')
      .limit(most)
    return (orgs ? query.where('org_id', 'in', orgs) : query).$castTo<Operation>().execute()
  }
  const rows = [...(await of('resource_id')), ...(await of('user_id'))]
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

function toldOperation(ctx: Context, row: Operation) {
  const action = operateActions[row.action as keyof typeof operateActions]?.[ctx.language] ?? row.action
  const seenOnly = row.action === 'view' || row.action === 'download'
  return {
    at: Number(row.datetime),
    id: row.id,
    timestamp: localStamp(Number(row.datetime), ctx.zone),
    detail_url: seenOnly ? '' : `/api/v1/audits/operate-logs/${row.id}/?type=action_detail`,
    content: say(texts.activity_operate, ctx.language, {
      user: row.user,
      action,
      resource_type: operateResourceLabel(row.resource_type, ctx.language),
      resource: row.resource,
    }),
    r_type: 'O',
  }
}

const detailUrls: Readonly<Record<string, (id: string) => string>> = {
  L: (id) => `/ui/#/audit/audits/login-logs/${id}`,
  T: (id) => `/core/ops/celery/task/${id}/log/`,
}

function toldActivity(ctx: Context, row: TableRow<typeof activityTable>) {
  const message: Message | undefined = texts[row.message as keyof typeof texts]
  const values = JSON.parse(row.values) as Record<string, string>
  // The only value that is a choice; the others are names.
  const origin = sessionOrigins[values.origin as keyof typeof sessionOrigins]?.[ctx.language]
  return {
    at: Number(row.datetime),
    id: row.id,
    timestamp: localStamp(Number(row.datetime), ctx.zone),
    detail_url: row.detail_id ? (detailUrls[row.type]?.(row.detail_id) ?? '') : '',
    content: message ? say(message, ctx.language, origin ? { ...values, origin } : values) : '',
    r_type: row.type,
  }
}

async function activities(ctx: Context, id: string): Promise<StoredRow[]> {
  const orgs = await within(ctx, id)
  const query = ctx.rawDb
    .selectFrom(activityTable.name)
    .selectAll()
    .$castTo<TableRow<typeof activityTable>>()
    .where('resource_id', '=', id)
    .orderBy('datetime', 'desc')
    .limit(most)
  const rows = await (orgs ? query.where('org_id', 'in', orgs) : query).execute()
  return [
    ...rows.map((row) => toldActivity(ctx, row)),
    ...(await operations(ctx, id, orgs)).map((row) => toldOperation(ctx, row)),
  ]
    .sort((a, b) => b.at - a.at)
    .slice(0, most)
    .map(({ at: _at, ...wire }) => wire)
}

const shown = computed('field', { wire: () => '' })
const fields = {
  id: text({ required: true }),
  timestamp: shown,
  detail_url: shown,
  content: shown,
  r_type: { ...shown, type: 'string' as const },
}

export const activitiesRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/audits/activities/',
  requires: 'audits.view_activitylog',
  summary: 'Activities of an object',
  fields: { GET: fields },
  async handle({ ctx, request }) {
    const id = normalUuid(request.query.resource_id) ?? request.query.resource_id
    return listOrFile(ctx, request, {
      name: 'activitylog',
      columns: allColumnsFor('audits', fields)(ctx),
      list: listOf(id ? await activities(ctx, id) : []),
    })
  },
})
