import { Button } from 'antd'
import { CirclePlay, Eye } from 'lucide-react'
import { Time } from '../../kit/cells.tsx'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { inside } from '../../kit/list/spec.ts'
import { nameParts, rawOf, wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { Badge, Status, Tick } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { output, Risk, toneOf } from './risk.tsx'
import {
  downloadAddress,
  lengthOf,
  mayLock,
  mayReplay,
  mayTerminate,
  mayWatch,
  nameOf,
  online,
  path,
  replayAddress,
  type SessionRow,
  terminate,
  toggleLock,
  url,
  watchAddress,
} from './session.tsx'

function Actions({ row, reload }: DetailContext<SessionRow>) {
  return (
    <QuickActions
      actions={[
        {
          key: 'pause',
          title: t('sessionHold'),
          help: t('sessionHoldHelp'),
          verb: t(row.is_locked ? 'resume' : 'pause'),
          visible: mayLock(row),
          run: () => toggleLock(row, reload),
        },
        {
          key: 'terminate',
          title: t('terminate'),
          help: t('terminateHelp'),
          verb: t('terminate'),
          danger: true,
          visible: mayTerminate(row),
          run: () => terminate(row, reload),
        },
        {
          key: 'download',
          title: t('replayDownload'),
          help: t('replayDownloadHelp'),
          verb: t('download'),
          visible: !online(row) && row.can_replay === true && can('terminal.download_sessionreplay'),
          run: () => window.open(downloadAddress(row), '_blank'),
        },
      ]}
    />
  )
}

export const detail: DetailSpec<SessionRow> = {
  url,
  path,
  resource: 'terminal.session',
  noun: 'session',
  title: nameOf,
  activity: false,
  update: false,
  remove: false,
  badge: (row) =>
    online(row) ? (
      <Badge is={row.is_locked ? 'warning' : 'ok'}>{t(row.is_locked ? 'paused' : 'online')}</Badge>
    ) : (
      <Badge is="idle">{t('ended')}</Badge>
    ),
  under: (row) => (
    <>
      <span className="mono">
        {nameParts(row.account).inner}@{nameParts(row.asset).name}
      </span>
      {` · ${wordOf(row.protocol)} · `}
      <span className="mono">{wordOf(row.remote_addr)}</span>
    </>
  ),
  headActions: ({ row }) => (
    <>
      {online(row) && mayWatch(row) && (
        <Button type="primary" icon={<Eye size={16} />} href={watchAddress(row)} target="_blank">
          {t('watch')}
        </Button>
      )}
      {!online(row) && mayReplay(row) && (
        <Button type="primary" icon={<CirclePlay size={16} />} href={replayAddress(row)} target="_blank">
          {t('replay')}
        </Button>
      )}
    </>
  ),
  facts: [
    { name: 'user', parted: true },
    { name: 'asset', parted: true },
    { name: 'account', parted: true },
    'protocol',
    'login_from',
    { name: 'remote_addr', mono: true },
    { name: 'gateway', label: 'sessionGateway', parted: true, visible: (row) => Boolean(row.gateway) },
    'date_start',
    'date_end',
    { name: 'duration', label: 'duration', render: lengthOf },
    'command_amount',
    { name: 'terminal', label: 'component' },
    { name: 'error_reason', visible: (row) => Boolean(rawOf(row.error_reason)) },
    { name: 'id', mono: true },
  ],
  sections: (context) => <Actions {...context} />,
  tabs: [
    {
      key: 'SessionCommands',
      title: 'commands',
      permission: 'terminal.view_command',
      render: ({ row }) => (
        <ListView<WireRow<'/api/v1/terminal/commands/'>>
          spec={{
            ...inside,
            id: 'SessionCommands',
            url: `/api/v1/terminal/commands/?session_id=${row.id}`,
            resource: 'terminal.command',
            noun: 'command',
            texts: { empty: 'commandsEmpty' },
            data: { order: 'timestamp', pollMs: online(row) ? 3000 : undefined },
            row: { nameColumn: 'input', link: () => undefined, tone: toneOf, details: output },
            columns: {
              shown: ['input', 'risk_level', 'timestamp'],
              cells: {
                input: {
                  width: 420,
                  mono: true,
                  render: (command) => <span className="mono">{wordOf(command.input)}</span>,
                },
                risk_level: { width: 150, render: (command) => <Risk row={command} /> },
                timestamp: { width: 150, render: (command) => <Time value={command.timestamp} /> },
              },
            },
            actions: {
              ...inside.actions,
              row: [
                {
                  key: 'jump',
                  label: () => t('replayJump'),
                  icon: <CirclePlay size={14} />,
                  primary: true,
                  visible: () => !online(row) && mayReplay(row),
                  href: (command) => `${replayAddress(row)}?command=${command.id}&at=${String(command.timestamp)}`,
                },
              ],
            },
          }}
        />
      ),
    },
    {
      key: 'SessionJoinRecords',
      title: 'joinRecords',
      permission: 'terminal.view_sessionjoinrecord',
      render: ({ row }) => (
        <ListView
          spec={{
            ...inside,
            id: 'SessionJoinRecords',
            url: `/api/v1/terminal/session-join-records/?session=${row.id}`,
            resource: 'terminal.sessionjoinrecord',
            noun: 'joinRecord',
            row: { nameColumn: 'joiner_display', link: () => undefined },
            columns: {
              shown: ['joiner_display', 'is_success', 'reason', 'is_finished', 'date_joined', 'date_left'],
              cells: {
                is_success: {
                  render: (record) =>
                    record.is_success ? <Tick yes word={t('yes')} /> : <Status is="danger">{t('no')}</Status>,
                },
              },
            },
          }}
        />
      ),
    },
  ],
}
