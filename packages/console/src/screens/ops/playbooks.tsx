/** Playbooks: the list, uploading an archive, the form, and the page with the files. */
import { pathOf } from '@castellan/contract/routes'
import { Button, Dropdown } from 'antd'
import { ChevronDown, CirclePlay, Plus } from 'lucide-react'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import type { Acting, ListSpec } from '../../kit/list/spec.ts'
import { can, inRoot } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'

const url = '/api/v1/ops/playbooks/'
type Playbook = WireRow<typeof url>

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
          ],
          onClick: ({ key }) => (key === 'blank' ? go(pathOf('PlaybookCreate')) : input.current?.click()),
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
  saved: { detail: (saved) => pathOf('PlaybookDetail', saved.id) },
  groups: [{ key: 'basic', title: 'groupBasic', fields: ['name', 'comment'] }],
  fields: { name: { validation: { required: true } } },
}

export const detail: DetailSpec<Playbook> = {
  ...shared,
  path: playbookTab,
  update: { to: (row) => pathOf('PlaybookUpdate', row.id) },
  facts: ['name', 'comment', 'date_created', 'date_updated'],
  tabs: [
    {
      key: 'Workspace',
      title: 'playbookFiles',
      permission: 'ops.change_playbook',
      render: ({ row }) => <Workspace id={row.id} />,
    },
  ],
}
