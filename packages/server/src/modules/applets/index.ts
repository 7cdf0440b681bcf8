import { on, provide } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { rowsChanged } from '../../kernel/resource/changes.ts'
import { appletMethods, hostRegistration } from '../terminal/index.ts'
import { applet } from './applet.ts'
import { appletRoutes } from './applet-routes.ts'
import { methodsOfApplets } from './connections/methods.ts'
import { lockTable, usageTable } from './connections/usage.ts'
import { deployHosts } from './deployments/deploy-job.ts'
import { deployment } from './deployments/deployment.ts'
import { deploymentRoutes } from './deployments/deployment-routes.ts'
import { agentRoutes } from './hosts/agent-routes.ts'
import { followUsers, generateAccounts } from './hosts/generate-accounts.ts'
import { appletHost } from './hosts/host.ts'
import { hostTable } from './hosts/host-options.ts'
import { hostRoutes } from './hosts/host-routes.ts'
import { registration } from './hosts/registration.ts'
import { publication } from './publications.ts'

export { type AppletRow, activeApplets } from './applet.ts'
export { releaseAccount, takeAccount } from './connections/choose-account.ts'
export { chooseHost } from './connections/choose-host.ts'

/**
 * Remote applications of app `terminal`. A separate module, because their hosts are assets with accounts, which depend
 * on the components of that app.
 */
export const applets = defineModule({
  app: 'terminal',
  resources: [applet, appletHost, publication, deployment],
  routes: [...appletRoutes, ...hostRoutes, ...agentRoutes, ...deploymentRoutes],
  tables: [hostTable, usageTable, lockTable],
  jobs: [generateAccounts, deployHosts],
  listens: [on(rowsChanged, followUsers)],
  provides: [provide(appletMethods, methodsOfApplets), provide(hostRegistration, registration)],
})
