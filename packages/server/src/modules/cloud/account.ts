import { providerGroups } from '@castellan/contract/choices/cloud'
import { accountValidity, cloudErrors } from '@castellan/contract/messages/cloud'
import { errors } from '@castellan/contract/messages/errors'
import {
  boolean,
  type Change,
  choice,
  computed,
  datetime,
  type Field,
  json,
  longText,
  normalUuid,
  nullableText,
  type StoredRow,
  text,
} from '../../kernel/fields/index.ts'
import { isObject } from '../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, failureAs, Rejected, text as say } from '../../kernel/module/errors.ts'
import { fieldsInfo } from '../../kernel/resource/metadata.ts'
import { findAll, findById } from '../../kernel/resource/repository.ts'
import { defineResource, findResource, type Resource, type RowOf } from '../../kernel/resource/resource.ts'
import { attributesToStore, openedAttributes, shownAttributes } from '../../kernel/resource/sealed-attributes.ts'
import { accountPort, confirmDecisions, noteDecision } from '../assets/index.ts'
import { attributesOf } from './account-attributes.ts'
import { assetsOfTasks } from './instance.ts'
import { calling } from './providers/calls.ts'
import { ProviderFailure } from './providers/failures.ts'
import { providerLabels, providerNamed, providers } from './providers/index.ts'
import type { Connection, Provider } from './providers/provider.ts'

const providerField = choice(providerLabels, { required: true, filter: true })

/** Attributes depend on the provider: the one that `?provider=` names. */
const attrsField: Field<StoredRow, 'own'> = {
  ...json<StoredRow>({ required: true, shape: 'object' }),
  type: 'nested object',
  noExport: true,
  loggedByEntry: true,
  wire: (value, _ctx, row) => shownAttributes(providerNamed(row.provider)?.attributes, value),
  meta: (ctx, { provider, pk }) => {
    const known = providerNamed(provider) ?? providers[0]
    // A stored secret stays when nothing is sent.
    const optional = ([name, field]: [string, Field]) => [
      name,
      pk && field.secret ? { ...field, required: false } : field,
    ]
    const attributes = Object.fromEntries(Object.entries(known?.attributes ?? {}).map(optional))
    return { children: fieldsInfo(ctx, 'xpack', attributes) }
  },
}

const accountFields = {
  name: text({ max: 128, required: true, filter: true }),
  provider: {
    ...providerField,
    meta: (ctx) => ({
      choices: providers.map(({ name, label, group }) => ({
        value: name,
        label: label[ctx.language],
        group: { value: group, label: providerGroups[group][ctx.language] },
      })),
    }),
  } as typeof providerField,
  attrs: attrsField,
  validity: boolean({ readOnly: true, default: false }),
  validity_display: computed('string', {
    wire: (_value, ctx, row) => accountValidity[row.validity ? 'valid' : 'unknown'][ctx.language],
  }),
  provider_display: computed('string', {
    wire: (_value, ctx, row) => providerNamed(row.provider)?.label[ctx.language] ?? String(row.provider),
  }),
  comment: longText(),
  created_by: nullableText({ readOnly: true }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
}

export type AccountRow = RowOf<typeof accountFields>

export const account: Resource<typeof accountFields> = defineResource({
  app: 'xpack',
  name: 'account',
  path: 'cloud/accounts',
  scope: 'org',
  fields: accountFields,
  unique: [['org_id', 'name']],
  search: ['name', 'comment'],
  defaultOrder: ['name'],
  imports: false,
  async describing(ctx, params) {
    const id = normalUuid(params.pk)
    const row = id ? await findById(ctx, account, id) : undefined
    return row ? { ...params, provider: row.provider } : params
  },
  hooks: {
    prepare(_ctx, input, { before }) {
      // A partial update of attributes concerns those that are sent.
      return before && isObject(input.attrs) ? { ...input, attrs: { ...shownOf(before), ...input.attrs } } : input
    },
    async validate(ctx, changes, problem) {
      for (const change of changes) {
        const { row, before, values, index } = change
        const provider = providerNamed(row.provider)
        if (!provider) continue
        if (before && before.provider !== row.provider) problem(index, 'provider', [say(cloudErrors.provider_fixed)])
        else if (values.attrs !== undefined)
          try {
            row.attrs = attributesToStore(ctx, attributesOf(provider), values.attrs, before?.attrs)
            // The raw body holds secrets; the log reads the values.
            values.attrs = row.attrs
          } catch (error) {
            if (!(error instanceof Rejected)) throw error
            problem(index, 'attrs', error.problem)
          }
      }
      await demandRedirect(ctx, changes)
    },
    beforeSave(_ctx, changes) {
      for (const { row, before } of changes)
        if (JSON.stringify(row.attrs) !== JSON.stringify(before?.attrs)) row.validity = false
    },
    afterSave: (ctx, changes) =>
      noteDecision(
        ctx,
        changes.flatMap(({ mode, row }) => (mode === 'create' ? [row.id] : [])),
        'destination',
      ),
    async beforeDelete(ctx, rows) {
      const ids = rows.map(({ id }) => id)
      const tasks = await findAll(ctx, findResource('xpack.syncinstancetask'), (query) =>
        query.where('t.account_id', 'in', ids),
      )
      const names = tasks.map(({ name }) => String(name)).join(', ')
      if (tasks.length > 0) throw failureAs(400, 'msg', say(cloudErrors.account_in_use, { names }))
    },
  },
})

const shownOf = (row: AccountRow) => shownAttributes(providerNamed(row.provider)?.attributes, row.attrs)

/**
 * Whoever decides where machines are read from decides the addresses of their assets, and so where the secrets of these
 * are sent. Throws 403 as for a change of the addresses themselves.
 */
async function demandRedirect(ctx: Context, changes: readonly Change<AccountRow>[]): Promise<void> {
  const moved = changes.flatMap(({ before, row }) =>
    before && JSON.stringify(before.attrs) !== JSON.stringify(row.attrs) ? [before.id] : [],
  )
  if (moved.length > 0) await accountPort.use.demandRedirect(ctx, await assetsOfTasks(ctx, { accounts: moved }))
  await noteDecision(ctx, moved, 'destination')
  const saved = changes.flatMap(({ before, values }) => (before && values.attrs !== undefined ? [before.id] : []))
  await confirmDecisions(ctx, saved, 'destination')
}

/** Opens the provider of an account. */
export function opened(ctx: Context, row: Pick<AccountRow, 'provider' | 'attrs'>): Promise<Connection> {
  const provider = providerNamed(row.provider)
  if (!provider) throw badRequest(say(errors.not_a_choice, { input: String(row.provider) }))
  return provider.connect(openedAttributes(ctx, attributesOf(provider), row.attrs))
}

/** What a request that a browser waits for may take. Milliseconds. */
const patience = 20_000

/** Makes one call to the provider of an account within a request. Throws 400 with the provider's failure. */
export async function asking<T>(
  ctx: Context,
  row: AccountRow,
  work: (connection: Connection, call: { signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const connection = await opened(ctx, row)
  try {
    const { signal } = new AbortController()
    return await calling((call) => work(connection, call), { signal, deadline: patience, attempts: 2 })
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const { label } = providerNamed(row.provider) as Provider
    throw badRequest(error.text(ctx.language, label), error.code)
  } finally {
    await connection.close?.()
  }
}
