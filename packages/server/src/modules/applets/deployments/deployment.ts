import { deploymentStatuses } from '@castellan/contract/choices/terminal'
import type { Db } from '../../../db/database.ts'
import {
  choice,
  datetime,
  longText,
  nullable,
  nullableDatetime,
  one,
  type StoredRow,
  uuid,
} from '../../../kernel/fields/index.ts'
import type { JobEnd } from '../../../kernel/jobs/ends.ts'
import { listItems } from '../../../kernel/jobs/item-rows.ts'
import { defineResource, type Row } from '../../../kernel/resource/resource.ts'

/** Work on one host: setting it up, or installing applications on it. Its log is that of its task. */
export const deployment = defineResource({
  app: 'terminal',
  name: 'applethostdeployment',
  path: 'applet-host-deployments',
  scope: 'global',
  bulk: false,
  wholeRows: true,
  verbs: ['list', 'retrieve', 'update', 'delete'],
  fields: {
    host: {
      ...one('terminal.applethost', {
        required: true,
        anyOrg: true,
        readOnly: true,
        onDelete: 'cascade',
        show: (row: StoredRow) => row.id,
      }),
      type: 'field' as const,
      filter: true,
      // Its own route creates it; clients of the contract read that the host is demanded.
      meta: () => ({ required: true, read_only: false }),
    },
    status: choice(deploymentStatuses, { default: 'pending', readOnly: true }),
    task: nullable(uuid({ readOnly: true, nullable: true })),
    comment: longText(),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    date_start: nullableDatetime({ readOnly: true }),
    date_finished: nullableDatetime({ readOnly: true }),
  },
  orderable: [],
  described: { status: { read_only: false }, task: { read_only: false } },
  indexes: [['host_id'], ['task']],
  defaultOrder: ['-date_start'],
  display: (row) => String(row.id),
})

export type DeploymentRow = Row<typeof deployment>

const statusOf: Readonly<Record<string, keyof typeof deploymentStatuses>> = {
  SUCCESS: 'success',
  FAILURE: 'failed',
  SKIPPED: 'failed',
  CANCELED: 'canceled',
  LOST: 'error',
}

/** Records how the work on each host of a task ended. */
export async function recordDeployments(db: Db, { id, state, date }: JobEnd): Promise<void> {
  const items = new Map((await listItems(db, id, { from: 0, limit: 1000 })).map((item) => [item.target_id, item.state]))
  const rows = await db.selectFrom(deployment.table).select(['id', 'host_id']).where('task', '=', id).execute()
  for (const row of rows)
    await db
      .updateTable(deployment.table)
      .set({ status: statusOf[items.get(row.host_id) ?? state] ?? 'error', date_finished: date, date_updated: date })
      .where('id', '=', row.id)
      .execute()
}
