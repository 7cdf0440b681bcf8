/** Settings of components, their list and load, endpoints and rules: a tab each. */
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { Card } from '../../kit/charts/Card.tsx'
import { Shares } from '../../kit/charts/Shares.tsx'
import { FormPanel } from '../../kit/form/FormPanel.tsx'
import { TabbedListPage } from '../../kit/list/ListPage.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { Failed } from '../../kit/list/states.tsx'
import { number } from '../../kit/row.ts'
import { Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { list as componentList } from './components.tsx'
import { endpointList, ruleList } from './endpoints.tsx'

const Basic = () => (
  <FormPanel
    spec={{
      url: '/api/v1/settings/setting/?category=terminal',
      single: true,
      submit: { method: 'PATCH' },
      noun: 'settingsOfTerminals',
      groups: [
        { key: 'basic', title: 'groupBasic', fields: ['SECURITY_SERVICE_ACCOUNT_REGISTRATION'] },
        {
          key: 'ssh',
          title: 'terminalSsh',
          fields: [
            'TERMINAL_KOKO_SSH_ENABLED',
            'TERMINAL_PASSWORD_AUTH',
            'TERMINAL_PUBLIC_KEY_AUTH',
            'TERMINAL_ASSET_LIST_SORT_BY',
            'TERMINAL_ASSET_LIST_PAGE_SIZE',
          ],
        },
        { key: 'rdp', title: 'terminalRdp', fields: ['TERMINAL_RAZOR_ENABLED'] },
        { key: 'database', title: 'terminalDatabase', fields: ['TERMINAL_MAGNUS_ENABLED'] },
      ],
    }}
  />
)

const words = { normal: 'loadNormal', high: 'loadHigh', critical: 'loadCritical', offline: 'loadOffline' } as const
const states = ['normal', 'high', 'critical', 'offline'] as const
const tones = { normal: 'ok', high: 'warning', critical: 'danger', offline: 'idle' } as const

type Metrics = { type: string; total: number; session_active: number } & Record<(typeof states)[number], string[]>

/** Components of each type by their load, renewed every ten seconds. */
function Monitor() {
  const url = '/api/v1/terminal/components/metrics/'
  const read = useQuery({
    queryKey: ['component-metrics', ...audience()],
    queryFn: () => call<Metrics[]>(url, { quiet: true }),
    refetchInterval: 10_000,
  })
  if (read.error) return <Failed error={read.error} retry={() => void read.refetch()} />
  if (read.data?.length === 0) return <p className="muted">{t('componentsNone')}</p>
  return (
    <div className="grid two">
      {(read.data ?? []).map((one) => (
        <Card
          key={one.type}
          title={one.type}
          note={t('componentTotals', { total: number(one.total), sessions: number(one.session_active) })}
        >
          <Shares
            chart={`load-${one.type}`}
            parts={states.map((state) => ({ label: t(words[state]), total: one[state].length, tone: tones[state] }))}
          />
          {states.flatMap((state) =>
            one[state].map((name) => (
              <div className="row" key={`${state} ${name}`}>
                <a
                  className="clip grow"
                  href={`#${pathOf('TerminalSetting')}?activeTab=TerminalList&name=${encodeURIComponent(name)}`}
                >
                  {name}
                </a>
                <Status is={tones[state]}>{t(words[state])}</Status>
              </div>
            )),
          )}
        </Card>
      ))}
    </div>
  )
}

export default function TerminalSetting() {
  return (
    <TabbedListPage
      tabs={[
        { key: 'Basic', title: 'groupBasic', render: () => <Basic /> },
        {
          key: 'TerminalList',
          title: 'components',
          permission: 'terminal.view_terminal',
          render: () => <ListView spec={componentList} />,
        },
        {
          key: 'TerminalMonitor',
          title: 'componentMonitor',
          permission: 'terminal.view_status',
          license: true,
          render: () => <Monitor />,
        },
        {
          key: 'EndpointList',
          title: 'endpoints',
          permission: 'terminal.view_endpoint',
          render: () => <ListView spec={endpointList} />,
        },
        {
          key: 'EndpointRuleList',
          title: 'endpointRules',
          permission: 'terminal.view_endpointrule',
          render: () => <ListView spec={ruleList} />,
        },
      ]}
    />
  )
}
