import { instanceStatuses, syncStatuses } from '@castellan/contract/choices/cloud'
import { type Row, rawOf } from '../../kit/row.ts'
import { Dot, Status } from '../../kit/status.tsx'
import { language, type TextKey } from '../../kit/text.ts'

/** Words of the numbers of a synchronization. */
export const countNames = {
  new: 'syncNew',
  updated: 'syncUpdated',
  sync: 'syncSynchronized',
  unsync: 'syncUnsynchronized',
  released: 'syncReleased',
} as const satisfies Record<string, TextKey>

const syncTones = { 0: 'danger', 1: 'ok', 2: 'ok', 3: 'warning' } as const

/** How a synchronization ended, or that it runs. */
export function SyncStatus({ row }: { row: Row }) {
  const status = Number(rawOf(row.status)) as keyof typeof syncStatuses
  const word = syncStatuses[status]?.[language] ?? String(status)
  if (status === 2)
    return (
      <Dot is="ok" live>
        {word}
      </Dot>
    )
  return (
    <span title={row.reason ? String(row.reason) : undefined}>
      <Status is={syncTones[status] ?? 'idle'}>{word}</Status>
    </span>
  )
}

const instanceTones = { 0: 'danger', 1: 'info', 2: 'ok', 3: 'warning' } as const

/** What became of a machine; the reason as a tooltip. */
export function InstanceStatus({ row }: { row: Row }) {
  const status = Number(rawOf(row.status)) as keyof typeof instanceStatuses
  return (
    <span title={row.reason ? String(row.reason) : undefined}>
      <Status is={instanceTones[status] ?? 'idle'}>{instanceStatuses[status]?.[language] ?? String(status)}</Status>
    </span>
  )
}
