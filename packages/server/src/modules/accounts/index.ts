import { accountsMessages } from '@castellan/contract/messages/accounts'
import { on, provide } from '../../kernel/hooks.ts'
import { defineModule } from '../../kernel/module.ts'
import { accountPort } from '../assets/index.ts'
import { organizationDeleting, organizationSaved } from '../orgs/index.ts'
import { account } from './account.ts'
import { accountRoutes } from './account-routes.ts'
import { secretRoutes } from './account-secrets.ts'
import { demandRedirect } from './copied-secret.ts'
import { gatewayAccounts } from './gateway-accounts.ts'
import { historyTable } from './history.ts'
import { createInline, shownInline } from './inline-accounts.ts'
import { loginAccount, rememberVerdict } from './login.ts'
import { syncAccounts } from './sync-template.ts'
import { accountTaskRoute } from './task-routes.ts'
import { accountTemplate } from './template.ts'
import { templateRoutes } from './template-routes.ts'
import { verifyAccounts } from './verify-job.ts'
import { ensureVirtualAccounts, removeVirtualAccounts, virtualAccount } from './virtual-account.ts'

export { account } from './account.ts'
export { createAccounts } from './create-accounts.ts'
export { gatewayAccountRows } from './gateway-accounts.ts'
export { secretToSend } from './secret.ts'
export { secretTypeWire } from './secret-type.ts'
export { type VirtualAlias, virtualAccount } from './virtual-account.ts'

export const accounts = defineModule({
  app: 'accounts',
  texts: accountsMessages,
  resources: [account, accountTemplate, virtualAccount],
  routes: [...accountRoutes, accountTaskRoute, ...templateRoutes, ...secretRoutes],
  tables: [historyTable],
  jobs: [syncAccounts, verifyAccounts],
  listens: [
    on(organizationSaved, (ctx, { id, formerName }) =>
      formerName === undefined ? ensureVirtualAccounts(ctx, id) : undefined,
    ),
    on(organizationDeleting, (ctx, { id }) => removeVirtualAccounts(ctx, id)),
  ],
  provides: [
    provide(accountPort, {
      create: createInline,
      shown: shownInline,
      login: loginAccount,
      gateways: gatewayAccounts,
      demandRedirect,
      verified: rememberVerdict,
    }),
  ],
  async seed(ctx) {
    for (const { id } of await ctx.unscoped.selectFrom('orgs_organization').select('id').execute())
      await ensureVirtualAccounts(ctx, id)
  },
})
