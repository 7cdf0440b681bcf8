import { accountAutomationTypes } from '@castellan/contract/choices/accounts'
import { say } from '@castellan/contract/messages'
import { accountsMessages } from '@castellan/contract/messages/accounts'
import { rotationMessages } from '@castellan/contract/messages/rotation'
import { pathOf } from '@castellan/contract/routes'
import { type AutomationRun, defineAutomation, TargetFailure } from '../../assets/index.ts'
import { demandPlanned } from '../destination.ts'
import { carriedOut } from '../methods/session.ts'
import { checkSecret, randomSecret } from '../secret-rules.ts'
import {
  type AccountPayload,
  planAccounts,
  type RotationSnapshot,
  rotationSnapshot,
  specificSecret,
} from './plan-accounts.ts'
import { changeSecretHooks, pushHooks, rotationColumns, rotationFields } from './plan-fields.ts'
import type { RecordOrigin } from './record.ts'
import { reportChanges } from './report.ts'
import { type Rotation, type RotationStep, rotate } from './rotate.ts'

/** The secret that a plan gives one account: its own one, or a random one for each. */
async function secretOf({ ctx, snapshot }: AutomationRun, assetId: string): Promise<string> {
  const plan = snapshot as unknown as RotationSnapshot
  if (plan.secret_strategy === 'specific') {
    const secret = specificSecret(ctx, plan)
    if (secret) {
      await demandPlanned(ctx, assetId, { secretBy: plan.secret_by ?? null, assets: snapshot.assets })
      return secret
    }
    throw new TargetFailure('no_plan_secret', say(rotationMessages.no_plan_secret, ctx.language))
  }
  const made = randomSecret(plan.secret_type, plan.password_rules)
  if (made === undefined)
    throw new TargetFailure('bad_rules', say(accountsMessages.password_rules_invalid, ctx.language))
  const checked = checkSecret(plan.secret_type, made, undefined)
  if (checked.problem) throw new Error('A generated secret is invalid.')
  return checked.secret
}

const rotationOf = (run: AutomationRun, origin: RecordOrigin): Rotation => ({
  ctx: run.ctx,
  job: run.job,
  origin,
  creates: origin === 'push_account',
  keyStrategy: (run.snapshot as unknown as RotationSnapshot).ssh_key_change_strategy,
  newSecret: (row) => secretOf(run, String(row.asset_id)),
})

const shared = {
  types: accountAutomationTypes,
  app: 'accounts',
  fields: rotationFields,
  columns: rotationColumns,
  search: ['secret_type', 'secret_strategy'],
  hasParams: true,
  snapshot: rotationSnapshot,
  methods: carriedOut,
  concurrency: 50,
  timeout: 120_000,
  // What was under way is looked at again: which of the two secrets is valid.
  itemDelivery: 'idempotent',
} as const

/** New secrets for accounts, set on their assets. */
export const changeSecrets = defineAutomation<AccountPayload, RotationStep>({
  ...shared,
  type: 'change_secret',
  hooks: changeSecretHooks,
  name: 'changesecretautomation',
  path: 'change-secret-automations',
  executions: { name: 'changesecretexecution', path: 'change-secret-executions' },
  targets: 'change-secret',
  page: pathOf('AccountChangeSecretExecutionDetail'),
  hasRecipients: true,
  task: 'accounts.tasks.change_secret.change_secrets_task',
  method: 'change_secret',
  plan: (run, assets) => planAccounts(run, assets, { creates: false }),
  work: (run, target) => rotate(rotationOf(run, 'change_secret'), target),
  report: reportChanges,
})

/** Accounts with their secrets, created on assets that do not have them. */
export const pushAccounts = defineAutomation<AccountPayload, RotationStep>({
  ...shared,
  type: 'push_account',
  hooks: pushHooks,
  name: 'pushaccountautomation',
  path: 'push-account-automations',
  executions: { name: 'pushaccountexecution', path: 'push-account-executions' },
  targets: 'push-account',
  page: pathOf('AccountPushExecutionDetail'),
  task: 'accounts.tasks.push_account.push_accounts_task',
  method: 'push_account',
  plan: (run, assets) => planAccounts(run, assets, { creates: true }),
  work: (run, target) => rotate(rotationOf(run, 'push_account'), target),
})
