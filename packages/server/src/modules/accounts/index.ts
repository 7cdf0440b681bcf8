import { accountsMessages } from '@castellan/contract/messages/accounts'
import { ensureDailyCounts } from '../../kernel/lists/daily-counts.ts'
import { on, provide } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { accountPort } from '../assets/index.ts'
import { organizationDeleting, organizationSaved } from '../orgs/index.ts'
import { settingsAltered } from '../settings/index.ts'
import { account } from './account.ts'
import { accountRoutes } from './account-routes.ts'
import { secretRoutes } from './account-secrets.ts'
import { backupExecution } from './backup/backup-execution.ts'
import { backupAccounts } from './backup/backup-job.ts'
import { backupPlan } from './backup/backup-plan.ts'
import { backupRoutes } from './backup/backup-routes.ts'
import { demandRedirect } from './copied-secret.ts'
import { entrustAccounts } from './destination.ts'
import { gatewayAccounts, gatewayLogin } from './gateway-accounts.ts'
import { gatherAccounts } from './gather/gather-automation.ts'
import { gatheredAccount, gatheredAccountRoutes } from './gather/gathered-account.ts'
import { historyTable } from './history.ts'
import { createInline, shownInline, switchingAccounts } from './inline-accounts.ts'
import { loginAccount, rememberVerdict } from './login.ts'
import { signIn } from './methods/sign-in.ts'
import { restoreRoutes } from './restore.ts'
import { changeSecrets, pushAccounts } from './rotation/automations.ts'
import { pushRecord, secretRecord } from './rotation/record.ts'
import { recordRoutes } from './rotation/record-routes.ts'
import { removeChosen } from './rotation/remove-accounts.ts'
import { pushChosen, retryRecords } from './rotation/run-accounts.ts'
import { rotationSettings } from './rotation/settings.ts'
import { syncAccounts } from './sync-template.ts'
import { accountTaskRoute } from './task-routes.ts'
import { accountTemplate } from './template.ts'
import { templateRoutes } from './template-routes.ts'
import { accountUseRules } from './use-rules.ts'
import { vaultEntryTable } from './vault/vault-entries.ts'
import { syncVault, tendVault } from './vault/vault-move.ts'
import { decideVault, vaultRoutes } from './vault/vault-routes.ts'
import { vaultSettings } from './vault/vault-settings.ts'
import { verifyAccounts } from './verify-job.ts'
import { ensureVirtualAccounts, removeVirtualAccounts, virtualAccount } from './virtual-account.ts'

export { account } from './account.ts'
export type { AccountRow } from './account-fields.ts'
export { createAccounts } from './create-accounts.ts'
export { destinationUnconfirmed, heldBack } from './destination.ts'
export { gatewayAccountRows } from './gateway-accounts.ts'
export { systemFailure } from './methods/failures.ts'
export { becomeFor, commandLogins, takesSecret } from './methods/login-choice.ts'
export { type SystemSession, withSystem, withTarget } from './methods/session.ts'
export { secretToSend } from './secret.ts'
export { randomPassword } from './secret-rules.ts'
export { secretTypeWire } from './secret-type.ts'
export { readPrivateKey } from './ssh-key.ts'
export { accountUseRules, type UseRefusal } from './use-rules.ts'
export { openSecrets } from './vault/vault-entries.ts'
export { type VirtualAlias, virtualAccount } from './virtual-account.ts'

export const accounts = defineModule({
  app: 'accounts',
  texts: accountsMessages,
  resources: [
    account,
    accountTemplate,
    virtualAccount,
    gatheredAccount,
    ...gatherAccounts.resources,
    ...changeSecrets.resources,
    ...pushAccounts.resources,
    secretRecord,
    pushRecord,
    backupPlan,
    backupExecution,
  ],
  routes: [
    ...accountRoutes,
    accountTaskRoute,
    ...templateRoutes,
    ...secretRoutes,
    ...gatheredAccountRoutes,
    ...gatherAccounts.routes,
    ...changeSecrets.routes,
    ...pushAccounts.routes,
    ...recordRoutes,
    ...backupRoutes,
    ...restoreRoutes,
    ...vaultRoutes,
  ],
  tables: [historyTable, vaultEntryTable],
  jobs: [
    syncAccounts,
    verifyAccounts,
    gatherAccounts.job,
    changeSecrets.job,
    pushAccounts.job,
    pushChosen,
    retryRecords,
    backupAccounts,
    removeChosen,
    syncVault,
    tendVault,
  ],
  settings: [rotationSettings, vaultSettings],
  ports: [accountUseRules],
  listens: [
    on(settingsAltered, decideVault),
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
      gatewayLogin,
      demandRedirect,
      entrust: entrustAccounts,
      switching: switchingAccounts,
      signIn,
      verified: rememberVerdict,
    }),
  ],
  async seed(ctx) {
    for (const { id } of await ctx.rawDb.selectFrom('orgs_organization').select('id').execute())
      await ensureVirtualAccounts(ctx, id)
    await ensureDailyCounts(ctx, findResource('accounts.changesecretrecord'))
  },
})
