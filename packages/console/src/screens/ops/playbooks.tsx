/** Playbooks: the list, uploading an archive, the form, and the page with the files. */
import { pathOf } from '@castellan/contract/routes'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { ChevronDown, CirclePlay, Plus, RefreshCw } from 'lucide-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { EngineNotice } from '../../domain/ops/EngineNotice.tsx'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import type { Acting, ListSpec } from '../../kit/list/spec.ts'
import { can, inRoot } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import { PlaybookCheck } from './PlaybookCheck.tsx'
import { RepositoryAccess } from './RepositoryAccess.tsx'

const url = '/api/v1/ops/playbooks/'
type Playbook = WireRow<typeof url>

const isFromGit = (method: unknown): boolean =>
  (typeof method === 'object' && method !== null ? (method as { value: unknown }).value : method) === 'vcs'

const playbookTab = `${pathOf('Template')}?activeTab=Playbook`
const shared = { url, resource: 'ops.playbook', noun: 'playbook' } as const
const below = pathOf('PlaybookCreate').replace('/create', '')

const Workspace = lazyComponent(() => import('./PlaybookWorkspace.tsx'))

/** An empty playbook, or the files of an archive. */
function Create({ reload }: Acting) {
  const go = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  if (!can('ops.add_playbook') || inRoot()) return null
  const upload = (file: File) =>
    attempt(async () => {
      const body = new FormData()
      body.append('path', file)
      await call(url, { method: 'POST', body })
      toast.ok(t('created'))
      reload()
    })
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'blank', label: t('playbookBlank') },
            { key: 'upload', label: t('playbookUpload') },
            { key: 'vcs', label: t('playbookFromGit') },
          ],
          onClick: ({ key }) => {
            if (key === 'upload') input.current?.click()
            else go(`${pathOf('PlaybookCreate')}${key === 'vcs' ? '?method=vcs' : ''}`)
          },
        }}
      >
        <Button type="primary" icon={<Plus size={16} />}>
          {t('playbookCreate')} <ChevronDown size={14} />
        </Button>
      </Dropdown>
      <input
        ref={input}
        type="file"
        accept=".zip"
        hidden
        aria-label={t('playbookUpload')}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) void upload(file)
          event.target.value = ''
        }}
      />
    </>
  )
}

export const list: ListSpec<Playbook> = {
  ...shared,
  id: 'Playbook',
  path: below,
  texts: { empty: 'playbooksEmpty' },
  files: { import: false, export: false },
  card: { time: 'date_created' },
  columns: {
    shown: ['name', 'comment', 'date_created'],
    fixed: ['name'],
    exclude: ['path', 'create_method', 'vcs_url'],
  },
  actions: {
    toolbar: Create,
    clone: false,
    row: [
      {
        key: 'job',
        label: () => t('jobCreate'),
        icon: <CirclePlay size={14} />,
        visible: () => can('ops.add_job') && !inRoot(),
        href: (row: Playbook) => `#${pathOf('JobCreate')}?type=playbook&id=${row.id}`,
      },
    ],
  },
}

export const form: FormSpec<WireForm<typeof url>> = {
  ...shared,
  path: playbookTab,
  saved: {
    detail: (saved) => pathOf('PlaybookDetail', saved.id),
    // Sign-in to the repository is set there.
    to: (saved, { id }) => (!id && isFromGit(saved.create_method) ? pathOf('PlaybookDetail', saved.id) : undefined),
  },
  initial: ({ query }) => ({ id: '', create_method: query.get('method') === 'vcs' ? 'vcs' : 'blank' }),
  groups: [{ key: 'basic', title: 'groupBasic', fields: ['name', 'create_method', 'vcs_url', 'comment'] }],
  fields: {
    name: { validation: { required: true } },
    create_method: { state: { hidden: () => true } },
    vcs_url: {
      texts: { help: 'playbookVcsHelp', placeholder: 'https://git.example.com/team/site.git' },
      layout: { mono: true },
      validation: { required: true },
      state: { hidden: (values) => !isFromGit(values.create_method) },
    },
  },
}

/** Takes the files from the repository again. */
function Refresh({ row, reload }: DetailContext<Playbook>) {
  const [working, setWorking] = useState(false)
  const client = useQueryClient()
  if (!isFromGit(row.create_method) || !can('ops.change_playbook')) return null
  const refresh = async () => {
    setWorking(true)
    await attempt(async () => {
      await call(`${url}${row.id}/refresh/`, { method: 'POST', body: {} })
      toast.ok(t('playbookRefreshed'))
      await client.invalidateQueries({ queryKey: ['playbook-check', row.id] })
      reload()
    })
    setWorking(false)
  }
  return (
    <Button icon={<RefreshCw size={14} />} loading={working} onClick={() => void refresh()}>
      {t('playbookRefresh')}
    </Button>
  )
}

export const detail: DetailSpec<Playbook> = {
  ...shared,
  path: playbookTab,
  update: { to: (row) => pathOf('PlaybookUpdate', row.id) },
  facts: [
    'name',
    { name: 'vcs_url', mono: true, visible: (row) => isFromGit(row.create_method) },
    'comment',
    'date_created',
    'date_updated',
  ],
  headActions: (context) => <Refresh {...context} />,
  sections: ({ row }) => (
    <>
      <EngineNotice />
      <PlaybookCheck id={row.id} />
      {isFromGit(row.create_method) && can('ops.change_playbook') && (
        <RepositoryAccess key={String(row.vcs_url)} id={row.id} />
      )}
    </>
  ),
  tabs: [
    {
      key: 'Workspace',
      title: 'playbookFiles',
      permission: 'ops.change_playbook',
      render: ({ row }) => <Workspace key={row.date_updated} id={row.id} fixed={isFromGit(row.create_method)} />,
    },
  ],
}
