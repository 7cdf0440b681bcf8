/** Endpoints, and the rules that choose one for an asset. */
import { defaultEndpointId } from '@castellan/contract/ids'
import { pathOf } from '@castellan/contract/routes'
import { Split, Waypoints } from 'lucide-react'
import { Words } from '../../kit/cells.tsx'
import type { FormContext, FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { wordOf, wordsOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'

const endpointUrl = '/api/v1/terminal/endpoints/'
const ruleUrl = '/api/v1/terminal/endpoint-rules/'
const endpoints = { url: endpointUrl, resource: 'terminal.endpoint', noun: 'endpoint' } as const
const rules = { url: ruleUrl, resource: 'terminal.endpointrule', noun: 'endpointRule' } as const
const tab = (name: 'EndpointList' | 'EndpointRuleList') => `${pathOf('TerminalSetting')}?activeTab=${name}`
const below = (name: 'EndpointCreate' | 'EndpointRuleCreate') => pathOf(name).replace('/create', '')

const web = ['https_port', 'http_port', 'ssh_port', 'rdp_port'] as const
const databases = ['mysql_port', 'mariadb_port', 'postgresql_port', 'redis_port'] as const

type Endpoint = WireRow<typeof endpointUrl>
const port = { width: 130, align: 'right' } as const

export const endpointList: ListSpec<Endpoint> = {
  ...endpoints,
  id: 'EndpointList',
  path: below('EndpointCreate'),
  texts: { help: 'endpointsHelp' },
  columns: {
    shown: ['name', 'host', ...web, ...databases, 'oracle_port_range'],
    exclude: ['oracle_port'],
    cells: {
      name: { width: 200 },
      host: { width: 200, render: (row) => row.host || <span className="muted">{t('endpointOwnHost')}</span> },
      ...Object.fromEntries([...web, ...databases].map((name) => [name, port])),
      oracle_port_range: { width: 160 },
    },
  },
  row: { icon: () => <Waypoints size={16} className="kind" />, link: () => undefined },
  card: { subtitle: (row) => row.host || t('endpointOwnHost') },
  actions: {
    create: { label: 'endpointCreate' },
    remove: { visible: ({ id }) => id !== defaultEndpointId, batch: false },
  },
  bulk: false,
  files: { import: false, export: false },
}

export const endpointForm: FormSpec<WireForm<typeof endpointUrl>> = {
  ...endpoints,
  path: tab('EndpointList'),
  saved: { detail: false },
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'host'] },
    { key: 'ports', title: 'endpointPorts', help: 'endpointPortsHelp', fields: [...web] },
    { key: 'databases', title: 'endpointDatabases', fields: [...databases, 'oracle_port_range'] },
    { key: 'other', title: 'groupOther', fields: ['comment'] },
  ],
  fields: {
    // The default endpoint has the address by which the console is opened.
    host: { state: { disabled: (_values, { id }: FormContext) => id === defaultEndpointId } },
    oracle_port_range: { state: { disabled: true }, sending: { local: true } },
    ...Object.fromEntries([...web, ...databases].map((name) => [name, { layout: { half: true } }])),
  },
}

type EndpointRule = WireRow<typeof ruleUrl>

export const ruleList: ListSpec<EndpointRule> = {
  ...rules,
  id: 'EndpointRuleList',
  path: below('EndpointRuleCreate'),
  texts: { help: 'endpointRulesHelp' },
  columns: {
    shown: ['name', 'ip_group', 'priority', 'endpoint', 'is_active'],
    cells: {
      name: { width: 200 },
      ip_group: { width: 280, render: (row) => <Words of={wordsOf(row.ip_group)} most={3} /> },
      priority: { width: 110, align: 'right' },
      endpoint: { width: 200, render: (row) => wordOf(row.endpoint) },
    },
  },
  row: { icon: () => <Split size={16} className="kind" />, link: () => undefined },
  card: { subtitle: (row) => wordOf(row.endpoint) },
  actions: { create: { label: 'endpointRuleCreate' }, remove: { batch: false } },
  bulk: false,
  files: { import: false, export: false },
}

export const ruleForm: FormSpec<WireForm<typeof ruleUrl>> = {
  ...rules,
  path: tab('EndpointRuleList'),
  saved: { detail: false },
  initial: () => ({ ip_group: ['*'], is_active: true }),
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'priority'] },
    { key: 'endpoint', title: 'groupEndpoint', fields: ['ip_group', 'endpoint'] },
    { key: 'other', title: 'groupOther', fields: ['is_active', 'comment'] },
  ],
  fields: {
    ip_group: { widget: 'ip-group' },
    endpoint: { source: { url: `${endpointUrl}?fields_size=mini` } },
  },
}
