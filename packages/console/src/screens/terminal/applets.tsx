/** Remote applications: the applications, their hosts, and the page of an application. */
import { pathOf } from '@castellan/contract/routes'
import { Button, Upload } from 'antd'
import { AppWindow, FileUp, MonitorCog } from 'lucide-react'
import { useState } from 'react'
import { appletsUrl, hostsUrl, Load, publications } from '../../domain/terminal/applets.tsx'
import { call } from '../../kit/api/client.ts'
import { ApiError, attempt } from '../../kit/api/errors.ts'
import { Protocols, Words } from '../../kit/cells.tsx'
import { confirmed } from '../../kit/confirm.ts'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { TabbedListPage } from '../../kit/list/ListPage.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import type { Acting, ListSpec } from '../../kit/list/spec.ts'
import { type Row, rawOf, wordOf, wordsOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { Badge } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireRow } from '../../kit/wire.ts'

const Readme = lazyComponent(() => import('../../kit/MarkdownText.tsx'))

const shared = { url: appletsUrl, path: pathOf('Applets'), resource: 'terminal.applet', noun: 'applet' } as const
type Applet = WireRow<typeof appletsUrl>

function Icon({ row, size = 24 }: { row: Row; size?: number }) {
  const [isBroken, setBroken] = useState(false)
  if (!row.icon || isBroken) return <AppWindow size={size} className="kind" />
  return <img src={String(row.icon)} alt="" width={size} height={size} onError={() => setBroken(true)} />
}

async function send(file: File, update: boolean): Promise<void> {
  const body = new FormData()
  body.append('file', file)
  await call(`${appletsUrl}upload/${update ? '?update=1' : ''}`, { method: 'POST', body, quiet: true })
}

/** Installs a package; an application that exists is replaced once that is confirmed. */
async function install(file: File): Promise<void> {
  try {
    await send(file, false)
  } catch (error) {
    const name = file.name.replace(/( \(\d+\))?\.zip$/i, '')
    const known =
      error instanceof ApiError &&
      error.status === 400 &&
      (await call<Row[]>(appletsUrl, { query: { name }, quiet: true }).catch(() => [])).length > 0
    if (!known) throw error
    await confirmed({ title: t('appletReplace'), text: t('appletReplaceText', { name }), verb: t('appletReplace') })
    await send(file, true)
  }
}

function UploadButton({ reload }: Acting) {
  const [busy, setBusy] = useState(false)
  if (!can('terminal.add_applet')) return null
  const take = async (file: File) => {
    await install(file)
    toast.ok(t('appletInstalled'))
    reload()
  }
  return (
    <Upload
      accept=".zip"
      maxCount={1}
      showUploadList={false}
      disabled={busy}
      beforeUpload={(file) => {
        setBusy(true)
        void attempt(() => take(file)).finally(() => setBusy(false))
        return false
      }}
    >
      <Button type="primary" icon={<FileUp size={16} />} loading={busy}>
        {t('appletUpload')}
      </Button>
    </Upload>
  )
}

const enterprise = (row: Row) =>
  rawOf(row.edition) === 'enterprise' ? <Badge is="warning">{wordOf(row.edition)}</Badge> : null

const list: ListSpec<Applet> = {
  ...shared,
  id: 'AppletList',
  texts: { help: 'appletsHelp', empty: 'appletsEmpty' },
  columns: {
    shown: ['display_name', 'name', 'version', 'type', 'protocols', 'tags', 'is_active', 'comment'],
    fixed: ['display_name'],
    exclude: ['icon', 'readme'],
    cells: {
      display_name: { width: 220 },
      name: { width: 140 },
      version: { width: 90 },
      type: { width: 110 },
      protocols: { width: 180, sortable: false, render: (row) => <Words of={wordsOf(row.protocols)} most={3} /> },
      tags: { width: 160, sortable: false, render: (row) => <Words of={wordsOf(row.tags)} most={3} /> },
      comment: { width: 220 },
    },
  },
  row: {
    nameColumn: 'display_name',
    title: (row) => wordOf(row.display_name),
    link: (row) => pathOf('AppletDetail', row.id),
    icon: (row) => <Icon row={row} size={20} />,
    secondary: 'comment',
  },
  card: { badge: enterprise, subtitle: (row) => `${row.name} ${row.version}` },
  search: { exclude: ['version'] },
  actions: { toolbar: UploadButton, update: false, clone: false, remove: { batch: false } },
  bulk: false,
  files: { import: false, export: false },
}

const hosts = { url: hostsUrl, resource: 'terminal.applethost', noun: 'appletHost' } as const

const hostList: ListSpec<WireRow<typeof hostsUrl>> = {
  ...hosts,
  id: 'AppletHostList',
  path: pathOf('AppletHostCreate').replace('/create', ''),
  texts: { help: 'appletHostsHelp' },
  columns: {
    shown: ['name', 'address', 'protocols', 'load', 'date_synced', 'comment'],
    fixed: ['name'],
    exclude: ['gathered_info', 'spec_info', 'accounts', 'auto_config'],
    cells: {
      name: { width: 200 },
      address: { width: 180 },
      protocols: { width: 180, sortable: false, render: (row) => <Protocols of={row.protocols} /> },
      load: { width: 120, sortable: false, render: (row) => <Load row={row} /> },
      comment: { width: 200 },
    },
  },
  row: { icon: () => <MonitorCog size={16} className="kind" />, link: (row) => pathOf('AppletHostDetail', row.id) },
  card: { subtitle: (row) => wordOf(row.address), badge: (row) => <Load row={row} /> },
  actions: { create: { label: 'appletHostCreate' }, remove: { batch: false } },
  bulk: false,
  files: { import: false, export: false },
}

function Sections({ row, reload }: DetailContext<Applet>) {
  return (
    <>
      <QuickActions
        actions={[
          {
            key: 'active',
            title: t('appletActive'),
            help: t('appletActiveHelp'),
            on: row.is_active === true,
            disabled: !can('terminal.change_applet') && t('noRight'),
            run: () =>
              call(`${appletsUrl}${row.id}/`, { method: 'PATCH', body: { is_active: !row.is_active } }).then(reload),
          },
        ]}
      />
      {row.readme ? <Readme text={String(row.readme)} /> : null}
    </>
  )
}

export const detail: DetailSpec<Applet> = {
  ...shared,
  icon: (row) => <Icon row={row} />,
  badge: enterprise,
  update: false,
  headActions: ({ row }) => (
    <Button className="desk-only" href={`${appletsUrl}${row.id}/download/`}>
      {t('download')}
    </Button>
  ),
  facts: [
    'name',
    'display_name',
    'version',
    'author',
    { name: 'protocols', render: (row) => <Words of={wordsOf(row.protocols)} /> },
    { name: 'tags', render: (row) => <Words of={wordsOf(row.tags)} /> },
    'type',
    'edition',
    'can_concurrent',
    'date_created',
    'date_updated',
    'comment',
  ],
  sections: (context) => <Sections {...context} />,
  tabs: [
    {
      key: 'Hosts',
      title: 'appletHosts',
      permission: 'terminal.view_appletpublication',
      render: ({ row }) => <ListView spec={publications('applet', row.id)} />,
    },
  ],
}

export default function Applets() {
  return (
    <TabbedListPage
      tabs={[
        { key: 'Applets', title: 'applets', render: () => <ListView spec={list} /> },
        {
          key: 'AppletHosts',
          title: 'appletHosts',
          permission: 'terminal.view_applethost',
          render: () => <ListView spec={hostList} />,
        },
      ]}
    />
  )
}
