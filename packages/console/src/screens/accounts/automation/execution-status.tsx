import { executionStatuses } from '@castellan/contract/choices/accounts'
import { itemStatuses } from '@castellan/contract/messages/automations'
import { useEffect, useRef } from 'react'
import type { DetailContext } from '../../../kit/detail/DetailPage.tsx'
import { at, type Row, rawOf, wordOf } from '../../../kit/row.ts'
import { Dot, Status } from '../../../kit/status.tsx'
import { language, t } from '../../../kit/text.ts'

export interface Summary {
  total: number
  success: number
  failed: number
  skipped: number
  canceled: number
  lost: number
  reason: { value: string; label: string } | null
}

export const summaryOf = (row: Row): Summary => row.summary as Summary

/** Targets that a repetition would do again. */
export const repeatable = (row: Row): number => {
  const { failed, lost, canceled } = summaryOf(row)
  return failed + lost + canceled
}

export const isRunning = (row: Row): boolean => !row.date_finished

const tones = { success: 'ok', failed: 'danger', canceled: 'warning' } as const

/** How an execution went: one that ended in order still says that targets failed. */
export function ExecutionStatus({ row }: { row: Row }) {
  const status = String(rawOf(row.status)) as keyof typeof executionStatuses
  const word = executionStatuses[status]?.[language] ?? wordOf(row.status)
  const { success, failed, lost } = summaryOf(row)
  if (status === 'running')
    return (
      <Dot is="ok" live>
        {word}
      </Dot>
    )
  if (status === 'pending') return <Dot is="idle">{word}</Dot>
  if (status === 'success' && failed + lost > 0)
    return (
      <Status is={success > 0 ? 'warning' : 'danger'}>
        {success > 0 ? t('executionPartly') : executionStatuses.failed[language]}
      </Status>
    )
  if (status === 'success' && success === 0) return <Status is="idle">{t('executionNothing')}</Status>
  return <Status is={tones[status] ?? 'idle'}>{word}</Status>
}

const itemTones = {
  pending: 'idle',
  running: 'info',
  success: 'ok',
  failed: 'danger',
  skipped: 'idle',
  canceled: 'warning',
  lost: 'danger',
} as const

/** How the work on one target ended. */
export function ItemStatus({ row }: { row: Row }) {
  const value = String(rawOf(row.status)) as keyof typeof itemTones
  if (value === 'running')
    return (
      <Dot is="ok" live>
        {itemStatuses.running[language]}
      </Dot>
    )
  return <Status is={itemTones[value] ?? 'idle'}>{wordOf(row.status)}</Status>
}

/** The id of the plan of an execution; undefined when the plan was deleted. */
export const planOf = (row: Row): string | undefined => (row.automation ? String(rawOf(row.automation)) : undefined)
export const planName = (row: Row): string => wordOf(at(row, 'snapshot.name'))

/** How often a running execution is read again. Milliseconds. */
export const pollMs = 2000

/** Reads the execution again until it has ended. */
export function useFollowed({ row, reload }: DetailContext): void {
  const again = useRef(reload)
  again.current = reload
  const running = isRunning(row)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => again.current(), pollMs)
    return () => clearInterval(timer)
  }, [running])
}
