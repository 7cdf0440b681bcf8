import { defaultOrgId, rootOrgId } from '@castellan/contract/ids'
import { orgsMessages } from '@castellan/contract/messages/orgs'
import { computed, text } from '../../kernel/fields/index.ts'
import { defineRoute } from '../../kernel/http/route.ts'
import { basic } from '../settings/index.ts'

export const currentOrganization = defineRoute({
  method: 'GET',
  path: '/api/v1/orgs/orgs/current/',
  requires: 'valid',
  summary: 'The organization of this request',
  fields: {
    GET: {
      id: text(),
      name: text({ max: 128, required: true }),
      is_default: computed('field', {}),
      is_root: computed('field', {}),
      comment: text(),
    },
  },
  handle: async ({ ctx }) => {
    const row = ctx.isRootOrg
      ? {
          name: basic.of(ctx).GLOBAL_ORG_DISPLAY_NAME || orgsMessages.global[ctx.language],
          comment: '',
        }
      : await ctx.rawDb
          .selectFrom('orgs_organization')
          .select(['name', 'comment'])
          .where('id', '=', ctx.orgId)
          .executeTakeFirst()
    return {
      id: ctx.orgId,
      name: row?.name ?? '',
      is_default: ctx.orgId === defaultOrgId,
      is_root: ctx.orgId === rootOrgId,
      comment: row?.comment ?? '',
    }
  },
})
