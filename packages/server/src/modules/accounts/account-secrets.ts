import type { Field } from '../../kernel/fields/index.ts'
import { listOf, pagedReply } from '../../kernel/paging.ts'
import { selectedIds } from '../../kernel/query.ts'
import { defineResource, findResource } from '../../kernel/resource.ts'
import { actionRoutes, resourceRoutes } from '../../kernel/resource-routes.ts'
import type { Route } from '../../kernel/route.ts'
import { accountDeclaration } from './account.ts'
import { earlierSecrets } from './history.ts'
import { revealSecret } from './secret.ts'
import { templateDeclaration } from './template.ts'

/** The secret in plain text, for callers with the permission and a recent confirmation. Every read is logged. */
const readable = (key: string, field: Field): Field => ({
  ...field,
  writeOnly: false,
  readOnly: true,
  load: async (ctx, rows) => {
    const opened = new Map<unknown, string>()
    for (const row of rows) opened.set(row.id, await revealSecret(ctx, row, findResource(key)))
    return ({ id }) => opened.get(id) ?? ''
  },
})

const accountSecret = defineResource({
  ...accountDeclaration,
  fileName: 'account',
  name: 'accountsecret',
  path: 'account-secrets',
  table: 'accounts_account',
  shares: 'accounts.account',
  verbs: ['list', 'retrieve'],
  requires: { list: 'accounts.view_accountsecret', retrieve: 'accounts.view_accountsecret' },
  fields: {
    ...accountDeclaration.fields,
    secret: readable('accounts.account', accountDeclaration.fields.secret as Field),
  },
})

const templateSecret = defineResource({
  ...templateDeclaration,
  name: 'accounttemplatesecret',
  path: 'account-template-secrets',
  table: 'accounts_accounttemplate',
  shares: 'accounts.accounttemplate',
  verbs: ['list', 'retrieve'],
  requires: { list: 'accounts.view_accounttemplatesecret', retrieve: 'accounts.view_accounttemplatesecret' },
  fields: {
    ...templateDeclaration.fields,
    // Exports of templates contain no secrets: only files of accounts are encrypted.
    secret: { ...readable('accounts.accounttemplate', templateDeclaration.fields.secret as Field), noExport: true },
  },
})

const histories = actionRoutes(accountSecret, [
  {
    path: 'histories',
    methods: ['GET'],
    detail: true,
    requires: 'accounts.view_accountsecret',
    summary: 'Earlier secrets of an account, newest first',
    handle: async ({ ctx, request, row }) => {
      await revealSecret(ctx, row)
      const all = await earlierSecrets(ctx, row)
      const chosen = request.query.spm ? new Set((await selectedIds(ctx, request.query.spm)).map(String)) : undefined
      return pagedReply(ctx, request, listOf(chosen ? all.filter(({ id }) => chosen.has(String(id))) : all))
    },
  },
])

/** Routes that return secrets: each requires a recent confirmation with a second factor (412). */
export const secretRoutes: readonly Route[] = [
  ...resourceRoutes(accountSecret),
  ...resourceRoutes(templateSecret),
  ...histories,
].map((route) => ({ ...route, confirm: 'mfa' as const }))
