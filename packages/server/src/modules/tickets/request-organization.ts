import { errors } from '@castellan/contract/messages/errors'
import { normalUuid } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, text as problem } from '../../kernel/module/errors.ts'
import { organizationNames } from '../../kernel/resource/standard-fields.ts'
import { isMember } from '../rbac/index.ts'

/** The organization of a request: one that exists and in which the applicant works. */
export async function demandOrganization(ctx: Context, sent: string, applicantId: string): Promise<string> {
  const id = normalUuid(sent)
  const unknown = () => invalid({ org_id: [problem(errors.does_not_exist, { pk: sent })] })
  if (!id || !(await organizationNames(ctx)).has(id)) throw unknown()
  if (ctx.me.isSuperuser && ctx.me.id === applicantId) return id
  if (!(await isMember(ctx, applicantId, id))) throw unknown()
  return id
}
