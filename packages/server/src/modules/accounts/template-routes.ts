import { normalUuid } from '../../kernel/fields/index.ts'
import { actionRoutes, listReply } from '../../kernel/resource/resource-routes.ts'
import { syncAccounts } from './sync-template.ts'
import { accountTemplate } from './template.ts'

/** Extra actions of account templates. */
export const templateRoutes = actionRoutes(accountTemplate, [
  {
    path: 'su-from-account-templates',
    methods: ['GET'],
    requires: 'accounts.view_accounttemplate',
    summary: 'Templates from whose account another one may be switched',
    handle: ({ ctx, request }) => {
      const { template_id: sent, ...query } = request.query
      const id = normalUuid(sent)
      return listReply(ctx, accountTemplate, { ...request, query }, (list) =>
        id
          ? list
              .where('t.id', '!=', id)
              .where((eb) => eb.or([eb('t.su_from_id', 'is', null), eb('t.su_from_id', '!=', id)]))
          : list,
      )
    },
  },
  {
    path: 'sync-related-accounts',
    methods: ['PATCH'],
    detail: true,
    requires: 'accounts.change_account',
    summary: 'Update the accounts of a template',
    handle: async ({ ctx, row }) => ({
      task: await ctx.enqueue(syncAccounts, { template: row.id, by: ctx.me.id }, { orgId: row.org_id }),
    }),
  },
])
