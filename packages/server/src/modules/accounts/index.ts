import { accountsMessages } from '@castellan/contract/messages/accounts'
import { defineModule } from '../../kernel/module.ts'
import { useAccounts } from '../assets/index.ts'
import { onOrganizationSaved } from '../orgs/index.ts'
import { account } from './account.ts'
import { accountRoutes } from './account-routes.ts'
import { secretRoutes } from './account-secrets.ts'
import { demandRedirect } from './copied-secret.ts'
import { gatewayAccounts } from './gateway-accounts.ts'
import { historyTable } from './history.ts'
import { createInline, shownInline } from './inline-accounts.ts'
import { loginAccount, rememberVerdict } from './login.ts'
import { accountTaskRoute } from './task-routes.ts'
import { accountTemplate } from './template.ts'
import { templateRoutes } from './template-routes.ts'
import { ensureVirtualAccounts, virtualAccount } from './virtual-account.ts'

export { account } from './account.ts'
export { createAccounts } from './create-accounts.ts'
export { gatewayAccountRows } from './gateway-accounts.ts'
export { secretToSend } from './secret.ts'
export { secretTypeWire } from './secret-type.ts'
export { type VirtualAlias, virtualAccount } from './virtual-account.ts'

useAccounts({
  create: createInline,
  shown: shownInline,
  login: loginAccount,
  gateways: gatewayAccounts,
  demandRedirect,
  verified: rememberVerdict,
})

onOrganizationSaved(async (ctx, { id, formerName }) => {
  if (formerName === undefined) await ensureVirtualAccounts(ctx, id)
})

export const accounts = defineModule({
  app: 'accounts',
  texts: accountsMessages,
  resources: [account, accountTemplate, virtualAccount],
  routes: [...accountRoutes, accountTaskRoute, ...templateRoutes, ...secretRoutes],
  tables: [historyTable],
  async seed(ctx) {
    for (const { id } of await ctx.unscoped.selectFrom('orgs_organization').select('id').execute())
      await ensureVirtualAccounts(ctx, id)
  },
})
