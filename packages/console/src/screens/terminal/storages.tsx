/** Storages of recordings and of commands: a tab each, and their forms. */
import { pathOf, type RouteName } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { Archive, ChevronDown, PlugZap, Star, Truck } from 'lucide-react'
import { useNavigate } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { metadataOf } from '../../kit/api/metadata.ts'
import { confirmed } from '../../kit/confirm.ts'
import type { FormContext, FormSpec } from '../../kit/form/spec.ts'
import { TabbedListPage } from '../../kit/list/ListPage.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { number, rawOf, wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { Status, Tick } from '../../kit/status.tsx'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'

const replayUrl = '/api/v1/terminal/replay-storages/'
const commandUrl = '/api/v1/terminal/command-storages/'
type ReplayStorage = WireRow<typeof replayUrl>
type CommandStorage = WireRow<typeof commandUrl>

interface Kind {
  url: typeof replayUrl | typeof commandUrl
  resource: 'terminal.replaystorage' | 'terminal.commandstorage'
  tab: 'ReplayStorage' | 'CommandStorage'
  create: RouteName
  update: RouteName
}
const replay: Kind = {
  url: replayUrl,
  resource: 'terminal.replaystorage',
  tab: 'ReplayStorage',
  create: 'CreateReplayStorage',
  update: 'ReplayStorageUpdate',
}
const command: Kind = {
  url: commandUrl,
  resource: 'terminal.commandstorage',
  tab: 'CommandStorage',
  create: 'CreateCommandStorage',
  update: 'CommandStorageUpdate',
}

const typeOf = (row: { type?: unknown }) => String(rawOf(row.type))
/** The server's own storage, and the one that keeps nothing. */
const isBuiltIn = (row: { type?: unknown }) => ['null', 'server'].includes(typeOf(row))
const may = (kind: Kind, verb: 'view' | 'add' | 'change') => can(kind.resource.replace('.', `.${verb}_`))

async function test(kind: Kind, row: { id: string }): Promise<void> {
  const { is_valid, msg } = await call<{ is_valid: boolean; msg: string }>(`${kind.url}${row.id}/test-connective/`)
  if (is_valid) toast.ok(msg)
  else toast.error(msg)
}

/** Moves everything that is recorded to one storage; its progress is shown in a window. */
async function move(kind: Kind, row: ReplayStorage | CommandStorage, reload: () => void): Promise<void> {
  const name = wordOf(row.name)
  const isFiles = kind === replay
  await confirmed({
    title: t(isFiles ? 'storageMove' : 'storageMoveCommands'),
    text: isFiles ? t('storageMoveText', { name }) : t('storageMoveCommandsText', { name }),
    verb: t(isFiles ? 'storageMove' : 'storageMoveCommands'),
  })
  const { task } = await call<{ task: string }>(`${kind.url}${row.id}/migrate/`, { method: 'POST' })
  openTaskLog(task, { onEnd: reload })
}

/** The types that can be created; choosing one opens its form. */
function Create({ kind }: { kind: Kind }) {
  const go = useNavigate()
  const { data } = useQuery(metadataOf(kind.url))
  const types = (data?.actions?.POST?.type?.choices ?? []).filter((one) => !isBuiltIn({ type: one.value }))
  if (!may(kind, 'add') || types.length === 0) return null
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: types.map((one) => ({ key: String(one.value), label: one.label })),
        onClick: ({ key }) => go(`${pathOf(kind.create)}?type=${encodeURIComponent(key)}`),
      }}
    >
      <Button type="primary" icon={<ChevronDown size={16} />} iconPlacement="end">
        {t('storageCreate')}
      </Button>
    </Dropdown>
  )
}

/** Whether everything has been sent there. */
function State({ row, kind }: { row: ReplayStorage | CommandStorage; kind: Kind }) {
  const waiting = kind === replay ? 'storageWaiting' : 'storageCommandsWaiting'
  if (isBuiltIn(row)) return null
  if (row.problem) return <Status is="danger">{t(waiting, { count: number(row.waiting) })}</Status>
  if (row.waiting) return <Status is="info">{t(waiting, { count: number(row.waiting) })}</Status>
  return <Status is="ok">{t('storageComplete')}</Status>
}

const listOf = <R extends ReplayStorage | CommandStorage>(kind: Kind): ListSpec<R> =>
  ({
    url: kind.url,
    resource: kind.resource,
    noun: 'storage',
    id: kind.tab,
    columns: {
      shown: ['name', 'type', 'is_default', 'comment'],
      exclude: ['meta'],
      cells: {
        name: { width: 220 },
        type: {
          width: 280,
          render: (row: R) => (
            <>
              {wordOf(row.type)} <State row={row} kind={kind} />
            </>
          ),
        },
        is_default: {
          width: 100,
          render: (row: R) => <Tick yes={Boolean(row.is_default)} word={t('storageDefault')} />,
        },
      },
    },
    row: {
      icon: () => <Archive size={16} className="kind" />,
      link: () => undefined,
      secondary: 'problem',
      tone: (row: R) => (row.problem ? 'danger' : undefined),
    },
    card: {
      subtitle: (row: R) => wordOf(row.type),
      badge: (row: R) => <State row={row} kind={kind} />,
    },
    search: { exclude: ['meta', 'type_not'] },
    actions: {
      toolbar: () => <Create kind={kind} />,
      clone: false,
      update: {
        to: (row: R) => `${pathOf(kind.update, row.id)}?type=${typeOf(row)}`,
        visible: (row: R) => !isBuiltIn(row),
      },
      remove: { visible: (row: R) => !isBuiltIn(row), batch: false },
      row: [
        {
          key: 'test',
          label: () => t('test'),
          icon: <PlugZap size={14} />,
          visible: () => may(kind, 'view'),
          run: (row: R) => test(kind, row),
        },
        {
          key: 'default',
          label: () => t('storageSetDefault'),
          icon: <Star size={14} />,
          visible: (row: R) => may(kind, 'change') && !row.is_default,
          run: async (row: R, { reload }) => {
            await call(`${kind.url}${row.id}/`, { method: 'PATCH', body: { is_default: true } })
            reload()
          },
        },
        {
          key: 'move',
          label: () => t(kind === replay ? 'storageMove' : 'storageMoveCommands'),
          icon: <Truck size={14} />,
          visible: (row: R) => may(kind, 'change') && (kind === replay ? typeOf(row) !== 'null' : !isBuiltIn(row)),
          run: (row: R, { reload }) => move(kind, row, reload),
        },
      ],
    },
    bulk: false,
    files: { import: false, export: false },
  }) as ListSpec<R>

const replayList = listOf<ReplayStorage>(replay)
const commandList = listOf<CommandStorage>(command)

export default function Storages() {
  return (
    <TabbedListPage
      tabs={[
        {
          key: replay.tab,
          title: 'storagesOfRecordings',
          permission: 'terminal.view_replaystorage',
          render: () => <ListView spec={replayList} />,
        },
        {
          key: command.tab,
          title: 'storagesOfCommands',
          permission: 'terminal.view_commandstorage',
          render: () => <ListView spec={commandList} />,
        },
      ]}
    />
  )
}

const secrets = ['SECRET_KEY', 'ACCOUNT_KEY', 'SFTP_PASSWORD', 'STP_PASSPHRASE']
const byKey = { enableWhen: { 'meta.STP_SECRET_TYPE': 'ssh_key' } }

const formOf = (kind: Kind, standard: string): FormSpec => ({
  url: ({ query }: FormContext) => `${kind.url}?type=${encodeURIComponent(query.get('type') ?? standard)}`,
  resource: kind.resource,
  noun: 'storage',
  path: `${pathOf('Storage')}?activeTab=${kind.tab}`,
  saved: { detail: false },
  initial: ({ query }) => ({ type: query.get('type') ?? standard, is_default: true }),
  groups: ({ id, query, loaded }) => [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'type'] },
    {
      key: 'meta',
      title: 'storageAccess',
      ...(id ? { help: 'storageSecretsHelp' as const } : {}),
      fields: ['meta'],
      visible: !isBuiltIn({ type: loaded ? loaded.type : (query.get('type') ?? standard) }),
    },
    { key: 'other', title: 'groupOther', fields: ['is_default', 'comment'] },
  ],
  fields: {
    type: { state: { disabled: true }, widget: 'choice' },
    'meta.HOSTS': { widget: 'lines' },
    ...Object.fromEntries(
      secrets.map((name) => [
        `meta.${name}`,
        {
          widget: 'password' as const,
          sending: { secret: true },
          ...(name === 'SFTP_PASSWORD' ? { state: { enableWhen: { 'meta.STP_SECRET_TYPE': 'password' } } } : {}),
          ...(name === 'STP_PASSPHRASE' ? { state: byKey } : {}),
        },
      ]),
    ),
    'meta.STP_PRIVATE_KEY': { widget: 'key-file', sending: { secret: true }, state: byKey },
    'meta.SFTP_HOST_KEY': { layout: { mono: true } },
  },
})

export const replayForm: FormSpec<WireForm<typeof replayUrl>> = formOf(replay, 's3')
export const commandForm: FormSpec<WireForm<typeof commandUrl>> = formOf(command, 'es')
