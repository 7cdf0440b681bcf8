/** Components: list, form and page. */
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Server } from 'lucide-react'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec, WidgetProps } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { at, number, type Row, rawOf, rowsIn, wordOf } from '../../kit/row.ts'
import { Select } from '../../kit/Select.tsx'
import { Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import { Loads } from './Loads.tsx'

const url = '/api/v1/terminal/terminals/'
const shared = { url, path: pathOf('TerminalSetting'), resource: 'terminal.terminal', noun: 'component' } as const
type Component = WireRow<typeof url>

const tones = { normal: 'ok', high: 'warning', critical: 'danger', offline: 'idle' } as const

function Load({ row }: { row: Row }) {
  const load = String(rawOf(row.load)) as keyof typeof tones
  return <Status is={tones[load] ?? 'idle'}>{wordOf(row.load)}</Status>
}

/** "0.4 / 31% / 62%": load of the processor, memory and disk in use. */
function statOf(row: Row): string {
  if (!row.stat) return ''
  const [cpu, memory, disk] = ['cpu_load', 'memory_used', 'disk_used'].map((name) =>
    number(Number(at(row, `stat.${name}`))),
  )
  return `${cpu} / ${memory}% / ${disk}%`
}

/** A storage by its name, as components refer to it. */
function StorageByName({ id, aria, value, onChange, invalid, disabled, field }: WidgetProps) {
  const address = `/api/v1/terminal/${field.with?.kind}-storages/`
  const read = useQuery({
    queryKey: ['storages-by-name', address, ...audience()],
    queryFn: () => call<readonly Row[] | { results: Row[] }>(address, { query: { limit: 100 } }),
  })
  return (
    <Select
      id={id}
      {...aria}
      status={invalid ? 'error' : undefined}
      disabled={disabled}
      loading={read.isFetching}
      value={value === undefined ? undefined : String(value)}
      options={rowsIn(read.data).map((row) => ({
        value: String(row.name),
        label: `${row.name} (${wordOf(row.type)})`,
      }))}
      onChange={onChange}
    />
  )
}

const storages = {
  command_storage: { component: StorageByName, with: { kind: 'command' } },
  replay_storage: { component: StorageByName, with: { kind: 'replay' } },
} as const

export const list: ListSpec<Component> = {
  ...shared,
  id: 'TerminalList',
  data: { pollMs: 20_000 },
  columns: {
    shown: ['name', 'type', 'session_online', 'stat', 'load', 'replay_storage'],
    fixed: ['name'],
    cells: {
      name: { width: 260 },
      type: { width: 120 },
      session_online: { width: 130, align: 'right', sortable: false },
      stat: {
        width: 190,
        sortable: false,
        label: t('componentStat'),
        render: (row) => <span className="num">{statOf(row)}</span>,
      },
      load: { width: 120, sortable: false, render: (row) => <Load row={row} /> },
      replay_storage: { width: 160 },
    },
  },
  row: { icon: () => <Server size={16} className="kind" />, secondary: 'remote_addr' },
  card: { subtitle: statOf, badge: (row) => <Load row={row} /> },
  actions: { clone: false },
  bulk: { fields: ['command_storage', 'replay_storage'], fieldSpecs: storages },
  files: { import: false, export: false },
}

export const form: FormSpec<WireForm<typeof url>> = {
  ...shared,
  path: `${pathOf('TerminalSetting')}?activeTab=TerminalList`,
  saved: { detail: (row) => pathOf('TerminalDetail', row.id) },
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'remote_addr', 'command_storage', 'replay_storage'] },
    { key: 'other', title: 'groupOther', fields: ['comment'] },
  ],
  fields: storages,
}

export const detail: DetailSpec<Component> = {
  ...shared,
  path: `${pathOf('TerminalSetting')}?activeTab=TerminalList`,
  icon: () => <Server size={20} />,
  badge: (row) => <Load row={row} />,
  update: { to: (row) => pathOf('TerminalUpdate', row.id) },
  facts: [
    'id',
    'name',
    'type',
    'remote_addr',
    'session_online',
    { name: 'stat', render: (row) => <span className="num">{statOf(row) || '-'}</span> },
    'command_storage',
    'replay_storage',
    'is_active',
    'is_alive',
    'date_created',
    'comment',
  ],
  sections: ({ row }) => <Loads url={`${url}${row.id}/`} />,
}
