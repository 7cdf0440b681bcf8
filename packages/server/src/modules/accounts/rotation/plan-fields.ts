import { secretStrategies, secretTypes, sshKeyChangeStrategies } from '@castellan/contract/choices/accounts'
import { accountsMessages } from '@castellan/contract/messages/accounts'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { rotationMessages } from '@castellan/contract/messages/rotation'
import { type Change, choice, linksOf, secret, stringList, uuid } from '../../../kernel/fields/index.ts'
import { isObject, objectOf } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { type Problem, permissionDenied, text as say } from '../../../kernel/module/errors.ts'
import type { Hooks, RowOf } from '../../../kernel/resource/resource.ts'
import { mayDecideDestinations } from '../../assets/index.ts'
import { demandStepUp } from '../../authentication/index.ts'
import { licenseState } from '../../xpack/index.ts'
import { creationFields } from '../account-fields.ts'
import { isSent, storedForm } from '../account-hooks.ts'
import { checkedRules, passwordRulesField } from '../password-rules.ts'
import { randomSecret } from '../secret-rules.ts'

const recipientsOfPlans = {
  table: 'accounts_changesecretautomation_recipients',
  from: 'changesecretautomation_id',
  to: 'user_id',
} as const

/** Types of secrets that can be set on a target. */
const settableTypes = { password: secretTypes.password, ssh_key: secretTypes.ssh_key }

/** What plans that set secrets have beside the fields of every plan. */
export const rotationFields = {
  accounts: {
    ...stringList({ required: true, max: 128, maxItems: 1000 }),
    type: 'json' as const,
    meta: () => ({}),
  },
  secret_type: choice(settableTypes, { required: true, filter: true }),
  secret_strategy: choice(secretStrategies, { required: true, filter: true }),
  secret: secret({ max: 40_960 }),
  password_rules: passwordRulesField(),
  ssh_key_change_strategy: choice(sshKeyChangeStrategies, { default: 'add' }),
  passphrase: creationFields.passphrase,
}

export const rotationColumns = {
  /** Who entered the secret; null for somebody who may see secrets. */
  secret_by: uuid({ nullable: true, default: null }),
}

export type RotationPlan = RowOf<typeof rotationFields, typeof rotationColumns> & { name: string }
type PlanChange = Change<RotationPlan, Readonly<Record<string, unknown>>>

/** What only the other type or strategy has is ignored, and not kept either. */
function settle(ctx: Context, change: PlanChange, problem: (field: string, problem: Problem) => void): void {
  const { row, values, before, input, partial } = change
  const isPassword = row.secret_type === 'password'
  const isRandom = row.secret_strategy === 'random'
  if (isPassword) row.ssh_key_change_strategy = before?.ssh_key_change_strategy ?? 'add'
  const decides = ['secret_type', 'secret_strategy', 'password_rules'].some((name) => input[name] !== undefined)
  if (isPassword && isRandom && (!partial || decides)) {
    const sent = input.password_rules
    if (!isObject(sent) || !('length' in sent) || !sent.length)
      problem('password_rules', [say(accountsMessages.password_rules_needed)])
    else {
      row.password_rules = checkedRules(row.password_rules)
      if (randomSecret('password', row.password_rules) === undefined)
        problem('password_rules', [say(accountsMessages.password_rules_invalid)])
    }
  } else if (!(isPassword && isRandom) && before) row.password_rules = before.password_rules
  if (isSent(values.secret)) row.secret_by = mayDecideDestinations(ctx) ? null : (ctx.caller?.id ?? null)
  if (isRandom) row.secret = null
  else if (isSent(values.secret))
    row.secret = storedForm(row.secret_type, values.secret, values.passphrase, row.name).secret
  // A secret is only valid for its type.
  else if (before && before.secret_type !== row.secret_type) row.secret = null
}

const targetsOf = {
  assets: { to: 'asset_id', suffix: 'assets' },
  nodes: { to: 'node_id', suffix: 'nodes' },
} as const

/** Commands that secrets are put into, in parameters of methods. */
const commandsIn = (params: unknown): string =>
  JSON.stringify(Object.values(objectOf(params)).map((one) => objectOf(one).commands ?? []))

/** Whether a change gives the secret of a plan to more targets. */
async function reachesMore(ctx: Context, { row, before, values }: Change<Record<string, unknown>>): Promise<boolean> {
  const named = (before?.accounts ?? []) as readonly string[]
  if (((values.accounts ?? []) as readonly string[]).some((name) => !named.includes(name))) return true
  const name = row.type === 'push_account' ? 'pushaccountautomation' : 'changesecretautomation'
  for (const [field, { to, suffix }] of Object.entries(targetsOf)) {
    const sent = values[field] as readonly string[] | undefined
    if (!sent) continue
    const join = { table: `accounts_${name}_${suffix}`, from: `${name}_id`, to }
    const known = new Set((await linksOf(ctx, join, [String(row.id)])).map((link) => String(link[to])))
    if (sent.some((id) => !known.has(id))) return true
  }
  return false
}

/**
 * A plan with a secret of its own sends it to whatever its targets are. Throws 403 when somebody who may not see secrets
 * gives it to more of them; whoever entered it knows it.
 */
async function demandTargets(ctx: Context, changes: readonly Change<Record<string, unknown>>[]): Promise<void> {
  if (mayDecideDestinations(ctx)) return
  for (const change of changes) {
    const { before, row, values } = change
    // Whatever the plan sets, its commands get the secret of the account that signs in as well.
    if (values.params !== undefined && commandsIn(values.params) !== commandsIn(before?.params))
      throw permissionDenied(say(assetsMessages.commands_need_right))
    const isKept = before?.secret && row.secret_strategy === 'specific' && !isSent(values.secret)
    if (!isKept || before.secret_by === ctx.caller?.id) continue
    if (await reachesMore(ctx, change)) throw permissionDenied(say(rotationMessages.targets_need_right))
  }
}

const validate: Hooks<Record<string, unknown>>['validate'] = async (ctx, changes, problem) => {
  await demandTargets(ctx, changes)
  for (const change of changes as readonly Change<object>[] as readonly PlanChange[])
    settle(ctx, change, (field, wrong) => problem(change.index, field, wrong))
}

/** What decides which secrets are mailed, and to whom. */
const deciding = ['recipients', 'accounts', 'assets', 'nodes', 'secret_type']

/**
 * Recipients are mailed the secrets that a plan sets, so whoever decides about that needs the permission to see them, and
 * the same confirmation as for reading them.
 */
async function demandRight(ctx: Context, changes: readonly Change<Record<string, unknown>>[]): Promise<void> {
  if (!ctx.caller) return
  for (const { mode, values, row } of changes) {
    if (mode !== 'create' && !deciding.some((name) => name in values)) continue
    const sent = values.recipients as readonly unknown[] | undefined
    const recipients = sent ?? (mode === 'create' ? [] : await linksOf(ctx, recipientsOfPlans, [String(row.id)]))
    if (recipients.length === 0) continue
    if (!ctx.can('accounts.view_accountsecret')) throw permissionDenied(say(rotationMessages.recipients_need_right))
    demandStepUp(ctx)
    return
  }
}

export const changeSecretHooks: Hooks<Record<string, unknown>> = {
  async validate(ctx, changes, problem) {
    await demandRight(ctx, changes)
    await validate(ctx, changes, problem)
  },
}

/** Schedules of pushes are an extended feature: without a valid license, plans are stored without one. */
export const pushHooks: Hooks<Record<string, unknown>> = {
  async validate(ctx, changes, problem) {
    if (!licenseState(ctx.services).valid) for (const { row } of changes) row.is_periodic = false
    await validate(ctx, changes, problem)
  },
}
