import { permActionGroups, permActions, permActionTree } from '@castellan/contract/choices/perms'
import { ticketLevels, ticketStates, ticketStatuses, ticketTypes } from '@castellan/contract/choices/tickets'
import { batches } from '../../db/batches.ts'
import { noRow } from '../../db/text.ts'
import {
  bits,
  choice,
  computed,
  datetime,
  type Field,
  json,
  longText,
  normalUuid,
  one,
  type StoredRow,
  text,
} from '../../kernel/fields/index.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import type { Context } from '../../kernel/module/context.ts'
import { defineResource, findResource, type ListQuery, type Row } from '../../kernel/resource/resource.ts'
import type { Expected } from '../../kernel/resource/resource-declaration.ts'
import { organizationNames } from '../../kernel/resource/standard-fields.ts'
import { processMap, stepsOf, userNames } from './steps.ts'

/** What a request for assets asks for, and after the decision what was granted. */
export interface AssetRequest {
  nodes: string[]
  assets: string[]
  accounts: string[]
  /** Bits of actions. */
  actions: number
  date_start: number
  date_expired: number
  permission_name: string
}

/** The part of a ticket that depends on its type: ids and texts by the names of the typed collections. */
export type TicketDetails = Record<string, unknown>

const applicant = one('users.user', { nullable: true, anyOrg: true, readOnly: true, onDelete: 'set null' })

/** Described as forms of the contract have it, though nobody sends it: tickets of every type are opened in other ways. */
const sent = <F extends Field>(field: F, more: Record<string, unknown> = {}): F => ({
  ...field,
  meta: (ctx, params) => ({ ...field.meta?.(ctx, params), required: true, read_only: false, ...more }),
})

const baseFields = () => ({
  title: sent(text({ max: 256, required: true, filter: true, readOnly: true })),
  org_id: sent(computed('string', { wire: (_value, _ctx, row: { organization_id: string }) => row.organization_id }), {
    max_length: 36,
  }),
  org_name: computed('field', {
    load: async (ctx) => {
      const names = await organizationNames(ctx)
      return (row: { organization_id: string }) => names.get(row.organization_id) ?? ''
    },
  }),
  comment: longText({ readOnly: true }),
  serial_num: text({ max: 128, readOnly: true }),
  process_map: computed('field', {
    load: async (ctx, rows: readonly { id: string }[]) => {
      const steps = await stepsOf(
        ctx,
        rows.map(({ id }) => id),
      )
      return (row: { id: string }) => processMap(steps.get(row.id) ?? [])
    },
  }),
  approval_step: choice(ticketLevels, { numeric: true, default: 1, readOnly: true }),
  type: choice(ticketTypes, {
    default: 'general',
    filter: true,
    readOnly: true,
    offers: (_ctx, type) => type !== 'general',
  }),
  state: choice(ticketStates, { default: 'pending', filter: true, readOnly: true }),
  status: choice(ticketStatuses, { default: 'open', filter: true, readOnly: true }),
  rel_snapshot: json<Record<string, unknown>>({ default: {}, readOnly: true }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
})

const columns = {
  /** Tickets are listed across organizations. */
  organization_id: text(),
  details: json<TicketDetails>({ default: {} }),
  /** Names and addresses of the assets, one a line, for the filter of lists. */
  relevant_asset: text({ default: '' }),
  relevant_command: text({ default: '' }),
}

/** Tickets of which the caller is the applicant or an assignee of any step. */
const mine = (ctx: Context, query: ListQuery, expected: Expected): ListQuery => {
  const me = ctx.caller?.id ?? ''
  const asked = ctx.rawDb
    .selectFrom('tickets_assignee as asked')
    .select('asked.ticket_id')
    .where('asked.user_id', '=', me)
  return query.where((eb) =>
    eb.or([
      eb('t.applicant_id', '=', me),
      expected === 'many'
        ? eb.exists(asked.whereRef('asked.ticket_id', '=', 't.id' as never))
        : eb('t.id', 'in', asked),
    ]),
  )
}

/** The order of the fields that every ticket has, before those of its type. */
const ticketOrder = [
  ...(['id', 'title', 'org_id', 'comment', 'serial_num', 'process_map', 'approval_step', 'type', 'state'] as const),
  ...(['applicant', 'status', 'org_name', 'rel_snapshot'] as const),
]

/** Clients of the contract are told of texts that a form may send, though only the calls that open a ticket take them. */
const open = { read_only: false }

const shared = {
  app: 'tickets',
  table: 'tickets_ticket',
  scope: 'global' as const,
  verbs: ['list', 'retrieve'] as const,
  imports: 'superuser' as const,
  describesToo: ['POST'] as const,
  describesRowsToo: ['PUT', 'PATCH'] as const,
  idWritable: false,
  bulk: false,
  idFilter: true,
  search: ['title', 'type', 'status'] as const,
  defaultOrder: ['-date_created'] as const,
  display: (row: StoredRow) => String(row.title),
}

const contains = (column: 'relevant_asset' | 'relevant_command') => (_ctx: Context, query: ListQuery, value: string) =>
  query.where((eb) => eb(eb.fn('lower', [`t.${column}`]), 'like', `%${value.toLowerCase().replace(/[\\%_]/g, '')}%`))

/** A request for a decision, of any type. */
export const ticket = defineResource({
  ...shared,
  name: 'ticket',
  path: 'tickets',
  fieldOrder: ticketOrder,
  described: { id: open, comment: open, serial_num: { max_length: undefined } },
  fields: {
    ...baseFields(),
    org_id: computed('field', { wire: (_value, _ctx, row: { organization_id: string }) => row.organization_id }),
    applicant,
  },
  columns,
  unique: [['serial_num']],
  indexes: [['date_created'], ['applicant_id', 'date_created'], ['status', 'date_created'], ['organization_id']],
  visible: mine,
  filters: {
    applicant: (_ctx, query, value) => query.where('t.applicant_id', '=', normalUuid(value) ?? ''),
    assignees__id: (ctx, query, value) => {
      const id = normalUuid(value)
      if (!id) return query.where(noRow)
      const current = ctx.rawDb
        .selectFrom('tickets_assignee')
        .select('ticket_id')
        .where('user_id', '=', id)
        .where('is_current', '=', true)
      return query.where('t.id', 'in', current)
    },
    relevant_asset: contains('relevant_asset'),
    relevant_command: contains('relevant_command'),
  },
})

export type TicketRow = Row<typeof ticket>

type Detailed = { details: TicketDetails }

const snapshotOf = (row: StoredRow) => (row.rel_snapshot as Record<string, unknown>) ?? {}

/** The applicant of typed tickets: `name(username)`, also after the user is gone. */
const applicantText = computed('string', {
  load: async (ctx, rows: readonly { applicant_id: string | null }[]) => {
    const names = await userNames(
      ctx,
      rows.flatMap(({ applicant_id }) => applicant_id ?? []),
    )
    return (row: StoredRow) => names.get(String(row.applicant_id)) ?? snapshotOf(row).applicant ?? ''
  },
})

/** Related rows whose ids are in the details, as `{id, name}`; rows that are gone are left out. */
const related = (key: string, target: string, column: string, isMany: boolean): Field =>
  computed(isMany ? 'm2m_related_field' : 'object_related_field', {
    meta: () => open,
    load: async (ctx, rows: readonly Detailed[]) => {
      const idsOf = (row: Detailed) => [row.details[key] ?? []].flat().map(String)
      const names = new Map<string, string>()
      for (const some of batches([...new Set(rows.flatMap(idsOf))]))
        for (const row of await ctx.acrossOrganizations
          .selectFrom(findResource(target).table)
          .select(['id', `${column} as name`])
          .where('id', 'in', some)
          .execute())
          names.set(row.id, String(row.name))
      return (row: Detailed) => {
        const all = idsOf(row).flatMap((id) => (names.has(id) ? { id, name: names.get(id) } : []))
        return isMany ? all : (all[0] ?? null)
      }
    },
  })

const plain = (key: string, field: Field): Field => ({
  ...computed(field.type, {
    wire: (_value, ctx, row: Detailed) =>
      field.wire ? field.wire(row.details[key], ctx, row as never) : (row.details[key] ?? null),
    meta: (ctx, params) => ({ ...field.meta?.(ctx, params), ...open }),
  }),
})

const timestamp = (key: string): Field =>
  computed('datetime', {
    meta: () => open,
    wire: (_value, ctx, row: Detailed) =>
      typeof row.details[key] === 'number' ? formatTimestamp(row.details[key], ctx.zone) : null,
  })

const actions = bits(permActions, permActionTree, permActionGroups.all)

/** The column of the same reference, whose name the text has. */
const applicantColumn = {
  ...applicant,
  isRef: false,
  ...(applicant.column ? { column: { ...applicant.column, name: 'applicant_id' } } : {}),
}

/** Facts of a list without those that its search can do nothing with. */
const unfiltered = { filter: undefined }

/** One collection of tickets of a type, on the table of all. */
function typed(
  name: string,
  path: string,
  type: string,
  fields: Record<string, Field>,
  more: { order?: string[]; described?: Record<string, object> } = {},
) {
  return defineResource({
    ...shared,
    name,
    path,
    permission: 'ticket',
    shares: 'tickets.ticket',
    // Decisions are logged as changes of the ticket itself.
    unlogged: true,
    fields: { ...baseFields(), applicant: applicantText, ...fields },
    // Those of the type are named where it is declared.
    fieldOrder: (more.order as readonly (typeof ticketOrder)[number][] | undefined) ?? ticketOrder,
    described: {
      ...{ id: open, comment: open, applicant: open, title: unfiltered, type: unfiltered, state: unfiltered },
      status: unfiltered,
      ...more.described,
    },
    columns: { ...columns, applicant_id: applicantColumn },
    filters: Object.fromEntries(
      ['title', 'type', 'state', 'status'].map((key) => [key, (_ctx: Context, query: ListQuery) => query]),
    ),
    visible: (ctx, query, expected) => mine(ctx, query.where('t.type', '=', type as never), expected),
  })
}

export const assetTicket = typed(
  'applyassetticket',
  'apply-asset-tickets',
  'apply_asset',
  {
    apply_nodes: related('nodes', 'assets.node', 'full_value', true),
    apply_assets: related('assets', 'assets.asset', 'name', true),
    apply_accounts: plain('accounts', json({ default: [] })),
    apply_actions: plain('actions', actions),
    apply_permission_name: plain('permission_name', text()),
    apply_date_start: timestamp('date_start'),
    apply_date_expired: timestamp('date_expired'),
  },
  {
    order: [
      ...['id', 'title', 'org_id', 'comment', 'type', 'apply_nodes', 'apply_assets', 'apply_accounts'],
      ...['apply_actions', 'serial_num', 'process_map', 'approval_step', 'state', 'applicant', 'status', 'org_name'],
      ...['rel_snapshot', 'apply_permission_name', 'apply_date_start', 'apply_date_expired'],
    ],
    described: {
      serial_num: { max_length: undefined },
      apply_accounts: { default: [] },
      // To connect.
      apply_actions: { default: 1 },
      apply_permission_name: { read_only: true },
    },
  },
)

export const loginTicket = typed(
  'applyloginticket',
  'apply-login-tickets',
  'login_confirm',
  {
    apply_login_ip: plain('ip', text()),
    apply_login_city: plain('city', text({ max: 64 })),
    apply_login_datetime: timestamp('datetime'),
  },
  { described: { serial_num: { max_length: undefined } } },
)

/** Tickets that components open, of which every fact is sent. */
const reported = { described: { approval_step: open, rel_snapshot: open } }

export const loginAssetTicket = typed(
  'applyloginassetticket',
  'apply-login-asset-tickets',
  'login_asset_confirm',
  {
    serial_num: sent(baseFields().serial_num),
    apply_login_user: related('user', 'users.user', 'name', false),
    apply_login_asset: related('asset', 'assets.asset', 'name', false),
    apply_login_account: plain('account', text({ max: 128 })),
  },
  reported,
)

export const commandTicket = typed(
  'applycommandticket',
  'apply-command-tickets',
  'command_confirm',
  {
    serial_num: sent(baseFields().serial_num),
    apply_run_user: related('user', 'users.user', 'name', false),
    apply_run_asset: sent(plain('asset', text()), { max_length: 128 }),
    apply_run_account: plain('account', text({ max: 128 })),
    apply_run_command: sent(plain('command', text()), { max_length: 4096 }),
    apply_from_session: related('session', 'terminal.session', 'asset', false),
    apply_from_cmd_filter_acl: related('rule', 'acls.commandfilteracl', 'name', false),
  },
  reported,
)

export const typedTickets = [assetTicket, loginTicket, loginAssetTicket, commandTicket] as const
