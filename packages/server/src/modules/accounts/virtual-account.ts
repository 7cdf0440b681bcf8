import { virtualAccountAliases } from '@castellan/contract/choices/accounts'
import { type Message, say } from '@castellan/contract/messages'
import { accountsMessages } from '@castellan/contract/messages/accounts'
import { boolean, computed, datetime, rawChoice, type StoredRow } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { insertRows } from '../../kernel/resource/repository.ts'
import { defineResource } from '../../kernel/resource/resource.ts'

export type VirtualAlias = keyof typeof virtualAccountAliases
const aliases = Object.keys(virtualAccountAliases) as VirtualAlias[]
const comments: Readonly<Record<VirtualAlias, Message>> = {
  '@INPUT': accountsMessages.virtual_comment_input,
  '@USER': accountsMessages.virtual_comment_user,
  '@ANON': accountsMessages.virtual_comment_anon,
}
const labelOf = ({ alias }: StoredRow, ctx: Context): string =>
  virtualAccountAliases[alias as VirtualAlias]?.[ctx.language] ?? alias

/**
 * Accounts without stored credentials: typed by the user, with the user's own name, or anonymous. One row each in every
 * organization.
 */
export const virtualAccount = defineResource({
  app: 'accounts',
  name: 'virtualaccount',
  path: 'virtual-accounts',
  scope: 'org',
  orgFields: false,
  wholeRows: true,
  fields: {
    alias: rawChoice(virtualAccountAliases, { filter: true }),
    username: computed('field', {
      wire: (_value, ctx, row) => (row.alias === '@ANON' ? '' : labelOf(row, ctx)),
    }),
    name: computed('field', { wire: (_value, ctx, row) => labelOf(row, ctx) }),
    secret_from_login: { ...boolean({ nullable: true, default: null, resets: false }), default: null },
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    comment: computed('field', {
      wire: (_value, ctx, row) => say(comments[row.alias as VirtualAlias], ctx.language),
    }),
  },
  unique: [['alias', 'org_id']],
  search: ['alias'],
  // The editable one comes first.
  defaultOrder: ['-alias'],
  // Every organization has all of them: a deleted one begins anew.
  hooks: {
    afterDelete: async (ctx, rows) => {
      for (const orgId of new Set(rows.map(({ org_id }) => String(org_id)))) await ensureVirtualAccounts(ctx, orgId)
    },
  },
  lookup: (segment) => (segment.startsWith('@') ? { column: 'alias', value: segment } : undefined),
})

/** Creates the rows of an organization. */
export async function ensureVirtualAccounts(ctx: Context, orgId: string): Promise<void> {
  const known = await ctx.rawDb.selectFrom(virtualAccount.table).select('alias').where('org_id', '=', orgId).execute()
  const missing = aliases.filter((alias) => !known.some((row) => row.alias === alias))
  await insertRows(
    ctx.inOrg(orgId),
    virtualAccount,
    missing.map((alias) => ({ alias })),
  )
}

/** Deletes the rows that were created with an organization. */
export async function removeVirtualAccounts(ctx: Context, orgId: string): Promise<void> {
  await ctx.rawDb.deleteFrom(virtualAccount.table).where('org_id', '=', orgId).execute()
}
