import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { ChevronDown, Cloud, PlugZap } from 'lucide-react'
import { useNavigate } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { type FieldChoice, metadataOf } from '../../kit/api/metadata.ts'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { Facts } from '../../kit/detail/Facts.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import type { FormContext, FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import { belowCreate, centerTab } from './center-tabs.ts'

const url = '/api/v1/xpack/cloud/accounts/'
const shared = { url, resource: 'xpack.account', noun: 'cloudAccount' } as const
type Account = WireRow<typeof url>

/** Asks the provider whether the credentials work. */
async function test(row: Row, reload: () => void): Promise<void> {
  try {
    await call(`${url}${row.id}/test-connective/`)
    toast.ok(t('cloudAccountWorks'))
  } finally {
    reload()
  }
}
const mayTest = () => can('xpack.test_account') && !inRoot()

const Validity = ({ row }: { row: Account }) => (
  <Status is={row.validity ? 'ok' : 'idle'}>{wordOf(row.validity_display)}</Status>
)

type Provider = FieldChoice & { group?: { value: string; label: string } }

/** The providers by group; choosing one opens its form. */
function CreateAccount() {
  const go = useNavigate()
  const { data } = useQuery(metadataOf(url))
  const providers = (data?.actions?.POST?.provider?.choices ?? []) as Provider[]
  const groups = Map.groupBy(providers, ({ group }) => group?.label ?? '')
  if (!can('xpack.add_account') || inRoot()) return null
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [...groups].map(([label, some]) => ({
          key: label,
          type: 'group' as const,
          label,
          children: some.map((one) => ({ key: String(one.value), label: one.label })),
        })),
        onClick: ({ key }) => go(`${pathOf('AccountCreate')}?provider=${encodeURIComponent(key)}`),
      }}
    >
      <Button type="primary" icon={<ChevronDown size={16} />} iconPlacement="end">
        {t('cloudAccountCreate')}
      </Button>
    </Dropdown>
  )
}

export const list: ListSpec<Account> = {
  ...shared,
  id: 'AccountList',
  path: belowCreate('AccountCreate'),
  texts: { empty: 'cloudAccountsEmpty' },
  columns: {
    shown: ['name', 'provider', 'comment', 'validity'],
    exclude: ['attrs'],
    cells: {
      provider: { width: 180, render: (row) => wordOf(row.provider) },
      validity: { width: 180, render: (row) => <Validity row={row} /> },
    },
  },
  row: { icon: () => <Cloud size={16} className="kind" /> },
  card: { badge: (row) => <Validity row={row} />, subtitle: (row) => wordOf(row.provider) },
  actions: {
    toolbar: CreateAccount,
    clone: false,
    update: { to: (row) => `${pathOf('AccountUpdate', row.id)}?provider=${rawOf(row.provider)}` },
    row: [
      {
        key: 'test',
        label: () => t('test'),
        icon: <PlugZap size={14} />,
        visible: mayTest,
        run: (row, { reload }) => test(row, reload),
      },
    ],
  },
  files: { import: false },
  bulk: false,
}

const providerOf = ({ query }: FormContext): string | undefined => query.get('provider') ?? undefined
const withProvider = (context: FormContext): string => {
  const provider = providerOf(context)
  return provider ? `${url}?provider=${encodeURIComponent(provider)}` : url
}
/** Names of secrets among the attributes of all providers. */
const secrets = [
  'access_key_secret',
  'client_secret',
  'private_key',
  'password',
  'token',
  'token_secret',
  'sc_password',
  'oc_password',
]

export const form: FormSpec<WireForm<typeof url>> = {
  ...shared,
  url: withProvider,
  path: centerTab('AccountList'),
  saved: { detail: (saved) => pathOf('AccountDetail', saved.id) },
  initial: (context) => ({ provider: providerOf(context) ?? 'aws_international' }),
  groups: ({ id }) => [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'provider'] },
    { key: 'attrs', title: 'cloudProvider', ...(id ? { help: 'cloudSecretsHelp' } : {}), fields: ['attrs'] },
    { key: 'other', title: 'groupOther', fields: ['comment'] },
  ],
  fields: {
    provider: { state: { disabled: true }, widget: 'choice' },
    'attrs.ca_cert': { widget: 'file-text' },
    'attrs.ip_group': { widget: 'ip-group' },
    ...Object.fromEntries(secrets.map((name) => [`attrs.${name}`, { sending: { secret: true } }])),
    'attrs.service_account_key': { widget: 'file-text', sending: { secret: true } },
  },
}

export const detail: DetailSpec<Account> = {
  ...shared,
  path: centerTab('AccountList'),
  icon: () => <Cloud size={20} />,
  badge: (row) => <Validity row={row} />,
  update: { to: (row) => `${pathOf('AccountUpdate', row.id)}?provider=${rawOf(row.provider)}` },
  facts: ['id', 'name', 'provider', 'comment', 'created_by', 'date_created', 'date_updated'],
  sections: ({ row, fields, reload }) => (
    <>
      <section>
        <div className="section-head">
          <h2>{t('cloudProvider')}</h2>
        </div>
        <Facts row={row} fields={fields} facts={Object.keys(Object(row.attrs)).map((name) => `attrs.${name}`)} />
      </section>
      <QuickActions
        actions={[
          {
            key: 'test',
            title: t('cloudAccountTest'),
            verb: t('test'),
            visible: mayTest(),
            run: () => test(row, reload),
          },
        ]}
      />
    </>
  ),
}
