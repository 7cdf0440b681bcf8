/** Templates of commands. */
import { pathOf } from '@castellan/contract/routes'
import { CirclePlay } from 'lucide-react'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { can, inRoot } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import { commandField } from './job-fields.tsx'

const url = '/api/v1/ops/adhocs/'
type Adhoc = WireRow<typeof url>

export const adhocTab = `${pathOf('Template')}?activeTab=Adhoc`
const shared = { url, resource: 'ops.adhoc', noun: 'template' } as const
const below = pathOf('AdhocCreate').replace('/create', '')

/** Modules of templates that jobs can run too. */
const jobModules = new Set(['shell', 'win_shell', 'python', 'mysql', 'postgresql', 'sqlserver', 'raw'])

export const list: ListSpec<Adhoc> = {
  ...shared,
  id: 'Adhoc',
  path: below,
  texts: { empty: 'adhocsEmpty' },
  files: { import: false, export: false },
  card: { subtitle: (row) => row.module.label, time: 'date_created' },
  columns: {
    shown: ['name', 'module', 'args', 'comment', 'date_created'],
    fixed: ['name'],
    cells: { module: { width: 120 }, args: { mono: true } },
  },
  actions: {
    create: { label: 'templateCreate', to: pathOf('AdhocCreate') },
    clone: false,
    row: [
      {
        key: 'job',
        label: () => t('jobCreate'),
        icon: <CirclePlay size={14} />,
        visible: (row: Adhoc) => can('ops.add_job') && !inRoot() && jobModules.has(row.module.value),
        href: (row: Adhoc) => `#${pathOf('JobCreate')}?type=adhoc&id=${row.id}`,
      },
    ],
  },
}

export const form: FormSpec<WireForm<typeof url>> = {
  ...shared,
  path: adhocTab,
  saved: { detail: (saved) => pathOf('AdhocDetail', saved.id) },
  groups: [{ key: 'basic', title: 'groupBasic', fields: ['name', 'module', 'args', 'comment'] }],
  fields: { args: commandField },
}

export const detail: DetailSpec<Adhoc> = {
  ...shared,
  path: adhocTab,
  update: { to: (row) => pathOf('AdhocUpdate', row.id) },
  facts: ['name', 'module', { name: 'args', mono: true }, 'comment', 'date_created', 'date_updated'],
}
