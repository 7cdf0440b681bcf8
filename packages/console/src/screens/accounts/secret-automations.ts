/** Changing secrets and pushing accounts: two automations that set secrets on assets, and differ in little. */
import { passphraseField, secretFields, withSecret } from '../../domain/accounts/account-form.ts'
import { assetSource } from '../../domain/acls/rule-attributes.ts'
import { PlatformParams } from '../../domain/assets/PlatformParams.tsx'
import { withQuery } from '../../kit/api/client.ts'
import type { Fact } from '../../kit/detail/Facts.tsx'
import type { FieldSpec, Values } from '../../kit/form/spec.ts'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { number } from '../../kit/row.ts'
import { licensed } from '../../kit/session.ts'
import type { TextKey } from '../../kit/text.ts'
import type { AutomationScreens } from './automation/screens.ts'

const Usernames = lazyComponent(() => import('./automation/Usernames.tsx'))

const isRandom = (values: Values): boolean => values.secret_strategy === 'random'
const isKey = (values: Values): boolean => values.secret_type === 'ssh_key'

/** A password is the field `secret`, a key the field `ssh_key`; both are sent as `secret`. */
const fieldOfType = (type: string): string => (type === 'password' ? 'secret' : type)

/** What both forms ask: for whom, which secret, and how it is set. */
const strategyNames = [
  'secret_strategy',
  'secret_type',
  'secret',
  'password_rules',
  'ssh_key_change_strategy',
  'ssh_key',
  'passphrase',
  'params',
] as const

/** A stored plan keeps its secret; a new one, also a clone, has none yet. */
const isNew = (values: Values): boolean => values.id === undefined

const inputs = secretFields(fieldOfType, isRandom)

const formFields = (
  automation: 'change_secret' | 'push_account',
  accountsHelp: TextKey,
): Record<string, FieldSpec> => ({
  secret: { ...inputs.secret, validation: { required: isNew } },
  ssh_key: { ...inputs.ssh_key, validation: { required: isNew } },
  accounts: {
    widget: 'tags',
    component: Usernames,
    validation: { required: true },
    texts: { help: accountsHelp },
    with: { blanks: false },
  },
  assets: { source: { ...assetSource, url: withQuery(assetSource.url, { [`${automation}_enabled`]: 'true' }) } },
  password_rules: { widget: 'password-rules', state: { hidden: (values) => !isRandom(values) || isKey(values) } },
  ssh_key_change_strategy: { state: { hidden: (values) => !isKey(values) } },
  passphrase: passphraseField(isRandom),
  params: { component: PlatformParams, label: 'methodParams', texts: { help: 'planParamsHelp' }, with: { automation } },
})

const amountOf = (name: 'assets' | 'nodes', label: TextKey): Fact => ({
  name,
  label,
  render: (row) => number(Array.isArray(row[name]) ? row[name].length : 0),
})

const shared = {
  columns: ['accounts', 'secret_strategy', 'is_periodic', 'periodic_display', 'executed_amount', 'is_active'],
  executionColumns: ['asset_amount', 'node_amount'],
  manyPlans: true,
  facts: ['accounts', amountOf('assets', 'planAsset'), amountOf('nodes', 'planNode'), 'secret_type', 'secret_strategy'],
  initial: () => ({
    accounts: [],
    secret_type: 'password',
    secret_strategy: 'specific',
    password_rules: { length: 30 },
  }),
  clean: (body: Record<string, unknown>, values: Values) =>
    isRandom(values) ? Promise.resolve(body) : withSecret(body, values, fieldOfType),
} satisfies Partial<AutomationScreens>

/** Secrets of accounts, changed on their assets. */
export const changeSecretScreens: AutomationScreens = {
  ...shared,
  url: '/api/v1/accounts/change-secret-automations/',
  resource: 'accounts.changesecretautomation',
  targetsUrl: '/api/v1/accounts/change-secret/',
  executionsUrl: '/api/v1/accounts/change-secret-executions/',
  executionResource: 'accounts.changesecretexecution',
  list: 'AccountChangeSecretList',
  plansTab: 'AccountChangeSecretList',
  executionsTab: 'AccountChangeSecretExecutionList',
  create: 'AccountChangeSecretCreate',
  update: 'AccountChangeSecretUpdate',
  detail: 'AccountChangeSecretDetail',
  execution: 'AccountChangeSecretExecutionDetail',
  noun: 'changeSecretPlan',
  createLabel: 'changeSecretPlanCreate',
  empty: 'changeSecretPlansEmpty',
  planColumn: 'ChangeSecretName',
  facts: [...shared.facts, 'recipients'],
  formGroups: {
    first: ({ id }) => [
      { key: 'basic', title: 'groupBasic', fields: ['name'] },
      { key: 'assets', title: 'planTargets', fields: ['accounts', 'assets', 'nodes'] },
      { key: 'strategy', title: 'secret', help: id ? 'secretKeepHelp' : undefined, fields: strategyNames },
    ],
    last: [{ key: 'other', title: 'groupOther', fields: ['is_active', 'recipients', 'comment'] }],
  },
  formFields: formFields('change_secret', 'changeSecretAccountsHelp'),
  records: {
    url: '/api/v1/accounts/change-secret-records/',
    view: 'accounts.view_changesecretrecord',
    retry: 'accounts.add_changesecretexecution',
  },
}

/** Accounts that are created on assets, or get the secret they have here. */
export const pushScreens: AutomationScreens = {
  ...shared,
  url: '/api/v1/accounts/push-account-automations/',
  resource: 'accounts.pushaccountautomation',
  targetsUrl: '/api/v1/accounts/push-account/',
  executionsUrl: '/api/v1/accounts/push-account-executions/',
  executionResource: 'accounts.pushaccountexecution',
  list: 'AccountPushList',
  plansTab: 'AccountPushList',
  executionsTab: 'AccountPushExecutionList',
  create: 'AccountPushCreate',
  update: 'AccountPushUpdate',
  detail: 'AccountPushDetail',
  execution: 'AccountPushExecutionDetail',
  noun: 'pushPlan',
  createLabel: 'pushPlanCreate',
  empty: 'pushPlansEmpty',
  planColumn: 'PushUserName',
  formGroups: {
    first: ({ id }) => [
      { key: 'basic', title: 'groupBasic', fields: ['name'] },
      { key: 'assets', title: 'planTargets', fields: ['assets', 'nodes'] },
      {
        key: 'accounts',
        title: 'accounts',
        help: id ? 'secretKeepHelp' : undefined,
        fields: ['accounts', ...strategyNames],
      },
    ],
    last: [{ key: 'other', title: 'groupOther', fields: ['is_active', 'comment'] }],
  },
  formFields: {
    ...formFields('push_account', 'pushAccountsHelp'),
    is_periodic: { state: { disabled: () => !licensed() } },
  },
  initial: () => ({ ...shared.initial(), is_periodic: licensed() }),
  records: {
    url: '/api/v1/accounts/push-account-records/',
    view: 'accounts.view_changesecretrecord',
    // Records of both automations are done again with one permission.
    retry: 'accounts.add_changesecretexecution',
  },
}
