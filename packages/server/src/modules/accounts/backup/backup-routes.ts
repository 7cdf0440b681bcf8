import { errors } from '@castellan/contract/messages/errors'
import { keyOf, normalUuid } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { created, defineRoute } from '../../../kernel/http/route.ts'
import { invalid, quoted, text as say } from '../../../kernel/module/errors.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import { demandStepUp } from '../../authentication/index.ts'
import { backupExecution } from './backup-execution.ts'
import { backupAccounts } from './backup-job.ts'
import { backupPlan } from './backup-plan.ts'
import { recordExecution } from './backup-start.ts'

export const backupRoutes = [
  defineRoute({
    method: 'POST',
    path: backupExecution.url,
    requires: 'accounts.add_accountbackupexecution',
    summary: `Start a backup: \`plan\` names ${backupPlan.path}`,
    statuses: [201, 412],
    describes: backupExecution.url,
    handle: async ({ ctx, request }) => {
      const key = keyOf(objectOf(request.body).plan)
      if (key === undefined || key === null || key === '') throw invalid({ plan: [say(errors.required)] })
      const id = normalUuid(key)
      if (!id) throw invalid({ plan: [say(errors.not_a_uuid, { input: quoted(key) })] })
      const plan = await findById(ctx, backupPlan, id)
      if (!plan) throw invalid({ plan: [say(errors.does_not_exist, { pk: id })] })
      // Every start mails all secrets again, so it is asked as the plan itself.
      demandStepUp(ctx)
      const inside = ctx.inOrg(plan.org_id)
      const execution = await recordExecution(inside, plan, { trigger: 'manual' })
      return created({ task: await inside.enqueue(backupAccounts, { plan: plan.id }, { id: execution }) })
    },
  }),
]
