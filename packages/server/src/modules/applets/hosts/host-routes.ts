import { actionRoutes } from '../../../kernel/resource/resource-routes.ts'
import { generateAccounts } from './generate-accounts.ts'
import { appletHost } from './host.ts'

export const hostRoutes = actionRoutes(appletHost, [
  {
    path: 'generate-accounts',
    methods: ['PUT'],
    detail: true,
    requires: 'terminal.change_applethost',
    summary: 'Create the missing accounts of a host',
    handle: async ({ ctx, row }) => ({
      task: await ctx.enqueue(generateAccounts, { host: row.id }, { uniqueKey: `applet accounts ${row.id}` }),
    }),
  },
])
