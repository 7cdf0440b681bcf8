import { approvalStrategies, offeredTicketTypes, ticketLevels, ticketTypes } from '@castellan/contract/choices/tickets'
import { rootOrgId } from '@castellan/contract/ids'
import { errors } from '@castellan/contract/messages/errors'
import { ticketsMessages as texts } from '@castellan/contract/messages/tickets'
import { choice, computed, datetime, type Field, json, nullableText, text, uuidsOf } from '../../kernel/fields/index.ts'
import { isObject } from '../../kernel/fields/safe-lookup.ts'
import { defineRoute } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import {
  ApiError,
  badRequest,
  invalid,
  notAnObject,
  quoted,
  Rejected,
  text as say,
} from '../../kernel/module/errors.ts'
import { createOne, updateOne } from '../../kernel/resource/mutations.ts'
import { decoded, getById, insertRow } from '../../kernel/resource/repository.ts'
import { defineResource, type Row } from '../../kernel/resource/resource.ts'
import { readableFields, serialize, serializeOne } from '../../kernel/resource/serialize.ts'
import { organizationNames } from '../../kernel/resource/standard-fields.ts'
import { assigneesOf, type FlowRule, type Strategy } from './assignees.ts'
import type { Opening } from './open.ts'
import { userNames } from './steps.ts'

const isStrategy = (value: unknown): value is Strategy =>
  typeof value === 'string' && Object.hasOwn(approvalStrategies, value)

function parseFlowRule(input: unknown): FlowRule {
  if (!isObject(input)) throw new Rejected({ non_field_errors: [notAnObject(input)] })
  const sent = isObject(input.strategy) ? input.strategy.value : input.strategy
  if (!isStrategy(sent))
    throw new Rejected({
      strategy: [sent === undefined ? say(errors.required) : say(errors.not_a_choice, { input: quoted(sent) })],
    })
  const assignees = sent === 'custom_user' ? [...new Set(uuidsOf(input.assignees))] : []
  if (sent === 'custom_user' && assignees.length === 0) throw new Rejected({ assignees: [say(errors.required)] })
  return { strategy: sent, assignees }
}

/** The levels of a flow, in order. */
const rulesField: Field<FlowRule[], 'own'> = {
  ...json<FlowRule[]>({ required: true, shape: 'array' }),
  type: 'field',
  parse: (input) => {
    if (!Array.isArray(input)) throw new Rejected([say(errors.not_a_list, { type: typeof input })])
    if (input.length === 0) throw new Rejected([say(errors.required)])
    return input.slice(0, Object.keys(ticketLevels).length).map(parseFlowRule)
  },
  resolve: async (ctx, values, problem) => {
    const known = await userNames(
      ctx,
      (values as FlowRule[][]).flatMap((rules) => rules.flatMap(({ assignees }) => assignees)),
    )
    for (const [index, rules] of (values as FlowRule[][]).entries())
      for (const { assignees } of rules) {
        const missing = assignees.find((id) => !known.has(id))
        if (missing) problem(index, [say(errors.does_not_exist, { pk: missing })])
      }
    return [...values]
  },
  load: async (ctx, rows) => {
    const shown = new Map<unknown, unknown[]>()
    for (const row of rows as unknown as { id: string; organization_id: string; rules: FlowRule[] }[]) {
      const rules = []
      for (const [at, rule] of row.rules.entries()) {
        const resolved = await ctx.once(`flow ${row.organization_id} ${JSON.stringify(rule)}`, () =>
          assigneesOf(ctx, row.organization_id, rule),
        )
        const names = await userNames(ctx, resolved)
        rules.push({
          level: at + 1,
          strategy: { value: rule.strategy, label: approvalStrategies[rule.strategy][ctx.language] },
          assignees_read_only: rule.assignees,
          assignees_display: resolved.flatMap((id) => names.get(id) ?? []),
        })
      }
      shown.set(row.id, rules)
    }
    return (row) => shown.get(row.id) ?? []
  },
  meta: (ctx) => ({
    child: {
      type: 'nested object',
      required: true,
      read_only: false,
      write_only: false,
      children: {
        level: {
          ...{ type: 'choice', required: false, read_only: true, write_only: false, label: texts.level[ctx.language] },
          choices: Object.entries(ticketLevels).map(([value, label]) => ({
            value: Number(value),
            label: label[ctx.language],
          })),
        },
        strategy: {
          ...{
            type: 'labeled_choice',
            required: true,
            read_only: false,
            write_only: false,
            label: texts.strategy[ctx.language],
          },
          choices: Object.entries(approvalStrategies).map(([value, label]) => ({ value, label: label[ctx.language] })),
        },
        assignees_read_only: { type: 'field', required: false, read_only: true, write_only: false },
        assignees_display: { type: 'field', required: false, read_only: true, write_only: false },
        assignees: {
          type: 'field',
          required: false,
          read_only: false,
          write_only: true,
          label: texts.assignees[ctx.language],
        },
      },
    },
  }),
}

/** Who decides about the tickets of a type, level by level. Those of the root organization count where there is no own. */
export const ticketFlow = defineResource({
  app: 'tickets',
  name: 'ticketflow',
  path: 'flows',
  table: 'tickets_flow',
  scope: 'global',
  verbs: ['list', 'retrieve', 'create'],
  requires: { create: 'superuser' },
  idWritable: false,
  idFilter: true,
  described: { id: { read_only: false }, created_by: { max_length: undefined } },
  bulk: false,
  fieldOrder: ['id', 'type', 'approval_level', 'created_by', 'org_id', 'org_name', 'rules'],
  fields: {
    type: {
      ...choice(offeredTicketTypes, { required: true, filter: true }),
      // Clients of the contract are told of every type there is.
      meta: choice(ticketTypes, { required: true }).meta as NonNullable<Field['meta']>,
    },
    approval_level: choice(ticketLevels, { required: true, numeric: true }),
    rules: rulesField,
    org_id: computed('field', { wire: (_value, _ctx, row: { organization_id: string }) => row.organization_id }),
    org_name: computed('field', {
      load: async (ctx) => {
        const names = await organizationNames(ctx)
        return (row: { organization_id: string }) => names.get(row.organization_id) ?? ''
      },
    }),
    created_by: nullableText({ max: 128, readOnly: true }),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
  },
  columns: { organization_id: text() },
  unique: [['organization_id', 'type']],
  conflictsUnder: 'type',
  search: ['type'],
  defaultOrder: ['type'],
  display: (row) => offeredTicketTypes[row.type as keyof typeof offeredTicketTypes]?.en ?? String(row.type),
  visible: (ctx, query) =>
    ctx.isRootOrg
      ? query
      : query.where((eb) =>
          eb.or([
            eb('t.organization_id', '=', ctx.orgId),
            eb.and([
              eb('t.organization_id', '=', rootOrgId),
              eb(
                't.type',
                'not in',
                ctx.acrossOrganizations
                  .selectFrom('tickets_flow')
                  .select('type')
                  .where('organization_id', '=', ctx.orgId),
              ),
            ]),
          ]),
        ),
  hooks: {
    validate(ctx, changes) {
      for (const change of changes) if (change.mode === 'create') change.row.organization_id = ctx.orgId
    },
  },
})

type FlowRow = Row<typeof ticketFlow>

/** Changing the global flow from an organization gives that organization a flow of its own. */
async function changeFlow(ctx: Context, id: string | undefined, sent: unknown, partial: boolean): Promise<FlowRow> {
  const row = await getById(ctx, ticketFlow, id)
  if (row.organization_id !== rootOrgId || ctx.isRootOrg) return updateOne(ctx, ticketFlow, row, sent, partial)
  const inherited = { type: row.type, ...(partial ? { approval_level: row.approval_level, rules: row.rules } : {}) }
  return createOne(ctx, ticketFlow, isObject(sent) ? { ...inherited, ...sent, type: row.type } : sent)
}

/** All of them or none; the errors of one are aligned with the others. */
async function changeFlows(ctx: Context, sent: unknown, partial: boolean): Promise<unknown> {
  if (!Array.isArray(sent)) throw invalid({ non_field_errors: [say(errors.not_a_list, { type: typeof sent })] })
  const rows: FlowRow[] = []
  for (const [index, item] of sent.entries()) {
    const { id, ...body } = isObject(item) ? item : {}
    try {
      rows.push(await changeFlow(ctx, typeof id === 'string' ? id : undefined, body, partial))
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error
      const none = sent.map(() => ({}))
      throw new ApiError(400, 'invalid', (language) => none.with(index, error.body(language) as object))
    }
  }
  return serialize(ctx, ticketFlow, rows, readableFields(ctx, ticketFlow))
}

const { type, approval_level, rules } = ticketFlow.fields
const fields = { type, approval_level, rules } as Record<string, Field>
const summary = 'Change who decides; in an organization, of that organization only'
export const flowRoutes = (['PUT', 'PATCH'] as const).flatMap((method) => [
  defineRoute({
    method,
    path: ticketFlow.url,
    requires: 'tickets.change_ticketflow',
    summary,
    fields: { [method]: fields },
    describes: ticketFlow.url,
    handle: ({ ctx, request }) => changeFlows(ctx, request.body, method === 'PATCH'),
  }),
  defineRoute({
    method,
    path: `${ticketFlow.url}:id/`,
    requires: 'tickets.change_ticketflow',
    summary,
    fields: { [method]: fields },
    describes: ticketFlow.url,
    handle: async ({ ctx, request }) =>
      serializeOne(ctx, ticketFlow, await changeFlow(ctx, request.params.id, request.body, method === 'PATCH')),
  }),
])

/** The levels of a new ticket, with those who decide now. Throws 400 when no flow is set up for the organization. */
export async function levelsFor(ctx: Context, type: Opening['type'], orgId: string): Promise<Opening['levels']> {
  const rows = await ctx.acrossOrganizations
    .selectFrom('tickets_flow')
    .selectAll()
    .where('type', '=', type)
    .where('organization_id', 'in', [orgId, rootOrgId])
    .execute()
  const stored = rows.find(({ organization_id }) => organization_id === orgId) ?? rows[0]
  if (!stored) throw badRequest(say(texts.no_flow))
  const flow: FlowRow = decoded(ticketFlow, stored)
  const levels = []
  for (const rule of flow.rules.slice(0, Number(flow.approval_level)))
    levels.push({ strategy: rule.strategy, assignees: await assigneesOf(ctx, orgId, rule) })
  return levels
}

/** The flow of a new installation: system administrators decide about requests for assets. */
export async function ensureFlow(ctx: Context): Promise<void> {
  const known = await ctx.rawDb.selectFrom('tickets_flow').select('id').limit(1).executeTakeFirst()
  if (known) return
  await insertRow(ctx, ticketFlow, {
    type: 'apply_asset',
    approval_level: 1,
    rules: [{ strategy: 'super_admin', assignees: [] }],
    organization_id: rootOrgId,
  })
}
