/** Cells of runs: whether they ended, how, and how long they took. */
import type { ColumnSpec } from '../../kit/list/columns.ts'
import type { Row } from '../../kit/row.ts'
import { Dot, Status, Tick } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'

/** A run as lists have it. */
export type Run = Row & { is_finished?: unknown; is_success?: unknown; time_cost?: unknown }

/** `12.34s`; nothing for a run that has not ended. */
export const secondsOf = (value: unknown): string => (typeof value === 'number' ? `${value.toFixed(2)}s` : '')

/** How a run ended, or that it still runs. */
export function RunState({ row }: { row: Run }) {
  if (!row.is_finished)
    return (
      <Dot is="info" live>
        {t('taskRunning')}
      </Dot>
    )
  return row.is_success ? <Status is="ok">{t('succeeded')}</Status> : <Status is="danger">{t('failed')}</Status>
}

export const runCells = {
  is_finished: {
    width: 110,
    render: (row: Run) =>
      row.is_finished ? (
        <Tick yes word={t('yes')} />
      ) : (
        <Dot is="info" live>
          {null}
        </Dot>
      ),
  },
  is_success: { width: 130, render: (row: Run) => <RunState row={row} /> },
  time_cost: { width: 110, align: 'right', render: (row: Run) => secondsOf(row.time_cost) },
} satisfies Record<string, ColumnSpec>

/** How often lists of runs that may still change are read again. Milliseconds. */
export const pollRuns = 5000
