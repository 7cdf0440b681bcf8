import type { Field } from '../../kernel/fields/index.ts'
import type { Route } from '../../kernel/http/route.ts'
import { listOf, pagedReply } from '../../kernel/lists/paging.ts'
import { selectedIds } from '../../kernel/lists/query.ts'
import { defineResource, findResource } from '../../kernel/resource/resource.ts'
import { actionRoutes, resourceRoutes } from '../../kernel/resource/resource-routes.ts'
import type { Sealed } from '../../kernel/security/secrets.ts'
import { accountDeclaration } from './account.ts'
import { accountRoutes } from './account-routes.ts'
import { earlierSecrets } from './history.ts'
import { revealSecret, revealSecrets } from './secret.ts'
import { templateDeclaration } from './template.ts'
import { templateRoutes } from './template-routes.ts'

/** The secret in plain text, for callers with the permission and a recent confirmation. Every read is logged. */
const readable = (key: string, field: Field<Sealed | null, 'own'>): Field<Sealed | null, 'own'> => ({
  ...field,
  writeOnly: false,
  readOnly: true,
  load: async (ctx, rows: readonly { id: string; secret: Sealed | null }[]) => {
    const opened = await revealSecrets(ctx, rows, findResource(key))
    return ({ id }) => opened.get(String(id)) ?? ''
  },
})

export const accountSecret = defineResource({
  ...accountDeclaration,
  fileName: 'account',
  name: 'accountsecret',
  path: 'account-secrets',
  described: { name: { required: true }, secret: { read_only: false } },
  table: 'accounts_account',
  shares: 'accounts.account',
  verbs: ['list', 'retrieve'],
  requires: { list: 'accounts.view_accountsecret', retrieve: 'accounts.view_accountsecret' },
  fields: {
    ...accountDeclaration.fields,
    secret: readable('accounts.account', accountDeclaration.fields.secret),
  },
})

const templateSecret = defineResource({
  ...templateDeclaration,
  name: 'accounttemplatesecret',
  path: 'account-template-secrets',
  described: { secret: { read_only: false } },
  table: 'accounts_accounttemplate',
  shares: 'accounts.accounttemplate',
  verbs: ['list', 'retrieve'],
  requires: { list: 'accounts.view_accounttemplatesecret', retrieve: 'accounts.view_accounttemplatesecret' },
  fields: {
    ...templateDeclaration.fields,
    // Exports of templates contain no secrets: only files of accounts are encrypted.
    secret: { ...readable('accounts.accounttemplate', templateDeclaration.fields.secret), noExport: true },
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

/** The same lists as those of accounts and templates, under the URLs of their secrets: without any secret. */
const withoutSecrets: Route[] = [
  ...accountRoutes.map((route) => ({
    ...route,
    path: route.path.replace('/accounts/accounts/', '/accounts/account-secrets/'),
  })),
  ...templateRoutes.map((route) => ({
    ...route,
    path: route.path.replace('/accounts/account-templates/', '/accounts/account-template-secrets/'),
  })),
].filter(({ path }) => path.includes('/su-from-'))

/** Routes that return secrets: each requires a recent confirmation with a second factor (412). */
export const secretRoutes: readonly Route[] = [
  ...resourceRoutes(accountSecret),
  ...resourceRoutes(templateSecret),
  ...histories,
  ...withoutSecrets,
].map((route) => ({ ...route, confirm: 'mfa' as const }))
