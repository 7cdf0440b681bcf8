/** Publications of remote applications on hosts, by application or by host, and the tasks that install them. */
import { pathOf } from '@castellan/contract/routes'
import { Rocket } from 'lucide-react'
import { call } from '../../kit/api/client.ts'
import { type ListSpec, viewOnly } from '../../kit/list/spec.ts'
import { at, type Row, rawOf, wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { Status } from '../../kit/status.tsx'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'

export const appletsUrl = '/api/v1/terminal/applets/'
export const hostsUrl = '/api/v1/terminal/applet-hosts/'
export const deploymentsUrl = '/api/v1/terminal/applet-host-deployments/'
const publicationsUrl = '/api/v1/terminal/applet-publications/'

export const mayDeploy = (): boolean => can('terminal.add_applethostdeployment')

/** Starts a task and shows its log. */
async function start(url: string, body: object, onEnd: () => void): Promise<void> {
  const { task } = await call<{ task: string }>(url, { method: 'POST', body })
  openTaskLog(task, { onEnd })
}

/** Sets a host up. */
export const deployHost = (host: string, onEnd: () => void) => start(deploymentsUrl, { host }, onEnd)

/** Installs one application, or all, on hosts. */
export const deployApplets = (hosts: readonly string[], applet: string | undefined, onEnd: () => void) =>
  start(`${deploymentsUrl}applets/`, { hosts, ...(applet ? { applet_id: applet } : {}) }, onEnd)

const tones = { pending: 'idle', success: 'ok', failed: 'danger', mismatch: 'warning' } as const
const loadTones = { normal: 'ok', high: 'warning', critical: 'danger', offline: 'idle' } as const
const taskTones = { success: 'ok', failed: 'danger', error: 'danger', running: 'warning' } as const

export const Load = ({ row }: { row: Row }) => (
  <Status is={loadTones[String(rawOf(row.load)) as keyof typeof loadTones] ?? 'idle'}>{wordOf(row.load)}</Status>
)

/** The state of a deployment. */
export const DeploymentStatus = ({ row }: { row: Row }) => (
  <Status is={taskTones[String(rawOf(row.status)) as keyof typeof taskTones] ?? 'idle'}>{wordOf(row.status)}</Status>
)

const PublicationStatus = ({ row }: { row: Row }) => (
  <Status is={tones[String(rawOf(row.status)) as keyof typeof tones] ?? 'idle'}>{wordOf(row.status)}</Status>
)

type Publication = WireRow<typeof publicationsUrl, 'applet.display_name' | 'applet.version' | 'host.display_name'>

const idOf = (row: Row, what: 'applet' | 'host') => String(at(row, `${what}.id`))

/** Publications of an application (`of: applet`) or on a host. */
export function publications(of: 'applet' | 'host', id: string): ListSpec<Publication> {
  const other = of === 'applet' ? 'host' : 'applet'
  const first = of === 'applet' ? 'host.display_name' : 'applet.display_name'
  return {
    id: of === 'applet' ? 'AppletHosts' : 'AppletHostApplets',
    url: publicationsUrl,
    resource: 'terminal.appletpublication',
    noun: 'appletPublication',
    ...viewOnly,
    data: { query: { [of]: id } },
    columns: {
      shown: [first, 'applet.version', 'date_updated', 'status'],
      fixed: [first],
      extra: [first, 'applet.version'],
      cells: {
        [first]: {
          width: 240,
          sortable: false,
          label: t(of === 'applet' ? 'appletHostDetail' : 'appletDetail'),
          render: (row: Row) => wordOf(at(row, `${other}.display_name`) ?? at(row, `${other}.name`)),
        },
        'applet.version': {
          width: 110,
          sortable: false,
          label: t('appletVersion'),
          render: (row) => wordOf(at(row, 'applet.version')),
        },
        date_updated: { width: 190 },
        status: { width: 140, render: (row) => <PublicationStatus row={row} /> },
      },
    },
    row: {
      nameColumn: first,
      title: (row) => wordOf(at(row, `${other}.name`)),
      link: (row) => pathOf(of === 'applet' ? 'AppletHostDetail' : 'AppletDetail', idOf(row, other)),
    },
    card: { badge: (row) => <PublicationStatus row={row} /> },
    search: { inAddress: false },
    files: { import: false, export: false },
    actions: {
      ...viewOnly.actions,
      row: [
        {
          key: 'deploy',
          label: t('appletDeploy'),
          icon: <Rocket size={16} />,
          visible: mayDeploy,
          run: (row, { reload }) => deployApplets([idOf(row, 'host')], idOf(row, 'applet'), reload),
        },
      ],
    },
    bulk:
      of === 'applet'
        ? {
            actions: [
              {
                key: 'deploy',
                label: t('appletDeploy'),
                icon: <Rocket size={16} />,
                visible: mayDeploy(),
                run: ({ rows, reload }) =>
                  deployApplets(
                    rows.map((row) => idOf(row, 'host')),
                    id,
                    reload,
                  ),
              },
            ],
          }
        : false,
  }
}
