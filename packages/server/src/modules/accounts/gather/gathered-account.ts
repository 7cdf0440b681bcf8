import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../../db/batches.ts'
import { boolean, datetime, nullableDatetime, text } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { Reply } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, text as say } from '../../../kernel/module/errors.ts'
import { createMany } from '../../../kernel/resource/mutations.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { defineResource, type Row } from '../../../kernel/resource/resource.ts'
import { actionRoutes } from '../../../kernel/resource/resource-routes.ts'
import { account } from '../account.ts'
import { assetField } from '../account-fields.ts'
import { accountFilters } from '../account-filters.ts'
import { idsIn } from '../ids-in.ts'
import { accountsOfAssets } from '../known-accounts.ts'

/** An account that was found on an asset, managed or not. */
export const gatheredAccount = defineResource({
  app: 'accounts',
  name: 'gatheredaccount',
  path: 'gathered-accounts',
  scope: 'org',
  idFilter: true,
  fields: {
    asset: assetField,
    username: text({ max: 32, required: true, blank: true, filter: true }),
    address_last_login: text({ max: 39 }),
    present: boolean({ default: true }),
    date_updated: datetime({ readOnly: true }),
    date_last_login: nullableDatetime(),
  },
  unique: [['username', 'asset_id']],
  indexes: [['asset_id'], ['org_id', 'date_updated']],
  search: ['username'],
  defaultOrder: ['asset'],
  filters: {
    asset_id: accountFilters.asset_id as NonNullable<typeof accountFilters.asset_id>,
    node_id: accountFilters.node_id as NonNullable<typeof accountFilters.node_id>,
  },
  display: (row) => String(row.username),
})

/** Adds the accounts that their assets do not have yet, under that username or name, without a secret. */
export async function addGathered(
  ctx: Context,
  rows: readonly Pick<Row<typeof gatheredAccount>, 'asset_id' | 'username'>[],
): Promise<number> {
  const known = await accountsOfAssets(
    ctx,
    rows.map(({ asset_id }) => String(asset_id)),
  )
  const missing = rows.filter(
    ({ asset_id, username }) =>
      username && !known.get(String(asset_id))?.some((one) => one.username === username || one.name === username),
  )
  for (const some of batches(missing)) {
    const bodies = some.map(({ asset_id, username }) => ({
      asset: asset_id,
      name: username,
      username,
      source: 'collected',
    }))
    await createMany(ctx, account, bodies, {})
  }
  return missing.length
}

export const gatheredAccountRoutes = actionRoutes(gatheredAccount, [
  {
    path: 'sync-accounts',
    methods: ['POST'],
    requires: 'accounts.add_gatheredaccount',
    summary: 'Add accounts that were found on assets to the accounts of these assets',
    statuses: [201],
    withoutBody: true,
    handle: async ({ ctx, request }) => {
      if (objectOf(request.body).gathered_account_ids === undefined)
        throw invalid({ gathered_account_ids: [say(errors.required)] })
      const ids = idsIn(request.body, 'gathered_account_ids')
      for (const some of batches(ids)) {
        const rows = await findAll(ctx, gatheredAccount, (query) => query.where('t.id', 'in', some))
        for (const [org, ofOrg] of Map.groupBy(rows, ({ org_id }) => org_id)) await addGathered(ctx.inOrg(org), ofOrg)
      }
      return new Reply(201)
    },
  },
])
