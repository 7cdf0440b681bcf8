import { appletHostPlatformName } from '@castellan/contract/asset-types'
import { pathOf } from '@castellan/contract/routes'
import { useParams } from 'react-router'
import { hostsUrl } from '../../domain/terminal/applets.tsx'
import { call } from '../../kit/api/client.ts'
import type { FormSpec, WidgetProps } from '../../kit/form/spec.ts'
import { licensed, session } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { formOf, type Platform, PlatformForm } from './asset-form.tsx'
import type { AssetFormRow } from './categories.ts'

const options = [
  'RDS_LicenseServer',
  'RDS_LicensingMode',
  'RDS_fSingleSessionPerUser',
  'RDS_MaxDisconnectionTime',
  'RDS_RemoteAppLogoffTimeLimit',
].map((name) => `deploy_options.${name}`)

const list = `${pathOf('Applets')}?activeTab=AppletHosts`

/** The form of a host whose platform is given, with what its deployment and its accounts need. */
function appletHostForm(platform: Platform): FormSpec {
  const host = formOf('host', platform, null, hostsUrl) as FormSpec<AssetFormRow>
  const { nodes: _nodes, labels: _labels, platform: _platform, ...fields } = host.fields ?? {}
  return {
    ...(host as unknown as FormSpec),
    path: list,
    resource: 'terminal.applethost',
    noun: 'appletHost',
    initial: async (context) => {
      const { platform: _given, nodes: _none, labels: _no, ...values } = (await host.initial?.(context)) ?? {}
      return values
    },
    groups: [
      { key: 'basic', title: 'groupBasic', help: 'appletHostBasicHelp', fields: ['name', 'address'] },
      { key: 'protocols', title: 'groupProtocols', help: 'assetProtocolsHelp', fields: ['protocols'] },
      { key: 'accounts', title: 'accounts', help: 'appletHostAccountsHelp', fields: ['accounts'] },
      {
        key: 'created',
        title: 'appletHostUserAccounts',
        help: 'appletHostUserAccountsHelp',
        fields: ['using_same_account', 'auto_create_accounts', 'accounts_create_amount'],
      },
      {
        key: 'deploy_options',
        title: 'appletHostOptions',
        fields: [
          'deploy_options.CORE_HOST',
          'deploy_options.IGNORE_VERIFY_CERTS',
          'deploy_options.RDS_Licensing',
          ...options,
        ],
      },
      { key: 'other', title: 'groupOther', fields: ['domain', 'is_active', 'comment'] },
    ],
    fields: {
      ...(fields as FormSpec['fields']),
      domain: { ...host.fields?.domain, state: { hidden: () => !licensed() } } as never,
      accounts: {
        ...host.fields?.accounts,
        component: (props: WidgetProps) => {
          const Table = host.fields?.accounts?.component
          const { id } = props.context
          if (Table && !id) return <Table {...props} />
          return (
            <p className="muted">
              {t('accountsElsewhere')}{' '}
              <a className="linkish" href={`#${pathOf('AppletHostDetail', String(id))}?activeTab=Accounts`}>
                {t('accountsOpen')}
              </a>
            </p>
          )
        },
      } as never,
      using_same_account: { state: { disabled: session().settings.CACHE_LOGIN_PASSWORD_ENABLED !== true } },
      accounts_create_amount: { state: { enableWhen: { auto_create_accounts: true } } },
      'deploy_options.CORE_HOST': { layout: { mono: true } },
      ...Object.fromEntries(
        options.map((name) => [name, { state: { enableWhen: { 'deploy_options.RDS_Licensing': true } } }]),
      ),
    },
    saved: { to: () => list, detail: (row) => pathOf('AppletHostDetail', row.id) },
  }
}

/** Create or change an application host. */
export default function AppletHostForm() {
  const { id } = useParams()
  return (
    <PlatformForm
      keyOf={['applet-host', id]}
      find={() => call<Platform>(`/api/v1/assets/platforms/${appletHostPlatformName}/`, { quiet: true })}
      spec={(platform) => appletHostForm(platform) as unknown as FormSpec<AssetFormRow>}
    />
  )
}
