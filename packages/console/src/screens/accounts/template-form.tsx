import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { nameWithUsername, passphraseField, secretFields, withSecret } from '../../domain/accounts/account-form.ts'
import { isPrivilegedName } from '../../domain/accounts/secret-types.ts'
import { PlatformParams } from '../../domain/assets/PlatformParams.tsx'
import { withQuery } from '../../kit/api/client.ts'
import type { FormSpec, Values, WidgetProps } from '../../kit/form/spec.ts'
import { templatesUrl } from '../../kit/form/widgets/special-accounts.ts'
import { t } from '../../kit/text.ts'
import type { WireForm } from '../../kit/wire.ts'
import { accountsTab, templates } from './template.ts'

type TemplateForm = WireForm<typeof templatesUrl, 'is_sync_account' | 'ssh_key' | 'token' | 'access_key' | 'api_key'>

/** A password is the field `secret`, all others are called after their type. */
const fieldOfType = (type: string): string => (type === 'password' ? 'secret' : type)

const isRandom = (values: Values): boolean => values.secret_strategy === 'random'
const canBeGenerated = (type: unknown): boolean => type === undefined || type === 'password' || type === 'ssh_key'

/** Leads to the accounts of the template, which get its changes only by synchronization. */
function AccountsOfTemplate({ id, context }: WidgetProps) {
  const go = useNavigate()
  return (
    <Button id={id} onClick={() => go(`${pathOf('AccountTemplateDetail', context.id)}?activeTab=${accountsTab}`)}>
      {t('templateAccountsOpen')}
    </Button>
  )
}

export const form: FormSpec<TemplateForm> = {
  ...templates,
  saved: { detail: (saved) => pathOf('AccountTemplateDetail', saved.id) },
  initial: () => ({ secret_type: 'password', secret_strategy: 'specific' }),
  groups: ({ id }) => [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'username', 'privileged', 'su_from'] },
    {
      key: 'secret',
      title: 'secret',
      help: id ? 'secretKeepHelp' : undefined,
      fields: [
        'secret_type',
        'secret_strategy',
        'password_rules',
        'secret',
        'ssh_key',
        'token',
        'access_key',
        'api_key',
        'passphrase',
        ...(id ? (['is_sync_account'] as const) : []),
      ],
    },
    { key: 'push', title: 'templatePush', fields: ['auto_push', 'platforms', 'push_params'] },
    { key: 'other', title: 'groupOther', fields: ['is_active', 'comment'] },
  ],
  fields: {
    ...secretFields(fieldOfType, isRandom),
    name: { layout: { half: true } },
    username: {
      layout: { half: true, mono: true },
      follow: (value) => (isPrivilegedName(String(value)) ? { privileged: true } : {}),
    },
    privileged: { widget: 'checkbox', texts: { help: 'privilegedHelp' } },
    su_from: {
      texts: { help: 'templateSuFromHelp' },
      source: (_values, { id }) => ({
        url: withQuery(`${templatesUrl}su-from-account-templates/`, { template_id: id }),
        plain: true,
        label: nameWithUsername,
      }),
    },
    secret_type: {
      validation: { required: true },
      follow: (type) => (canBeGenerated(type) ? {} : { secret_strategy: 'specific', auto_push: false }),
    },
    secret_strategy: {
      texts: { help: 'secretStrategyHelp' },
      state: { hidden: (values) => !canBeGenerated(values.secret_type) },
    },
    password_rules: {
      widget: 'password-rules',
      state: { hidden: (values) => !isRandom(values) || values.secret_type !== 'password' },
    },
    passphrase: passphraseField(isRandom),
    is_sync_account: {
      label: 'templateAccounts',
      texts: { help: 'templateAccountsHelp' },
      component: AccountsOfTemplate,
      sending: { local: true },
    },
    auto_push: {
      state: { disabled: (values) => !canBeGenerated(values.secret_type) },
    },
    platforms: { source: { url: '/api/v1/assets/platforms/' }, state: { enableWhen: { auto_push: true } } },
    push_params: {
      component: PlatformParams,
      label: 'methodParams',
      with: { automation: 'push_account' },
      state: { enableWhen: { auto_push: true } },
    },
  },
  submit: {
    clean: (body, values) => (isRandom(values) ? body : withSecret(body, values, fieldOfType)),
  },
}

/** Only what the form shows is changed. */
export const update: FormSpec<TemplateForm> = { ...form, submit: { ...form.submit, method: 'PATCH' } }
