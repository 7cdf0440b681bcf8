import { Button, Progress } from 'antd'
import { ArrowDownToLine, ArrowUpFromLine, Pause, Play, RotateCw, X } from 'lucide-react'
import { type PlainKey, t } from '../text.ts'
import type { Conflict } from './jobs.ts'
import { sizeText } from './paths.ts'
import type { Transfer, TransferQueue, TransferState } from './transfers.ts'

const words: Record<TransferState, PlainKey> = {
  waiting: 'transferWaiting',
  running: 'transferRunning',
  paused: 'transferPaused',
  conflict: 'fileExists',
  failed: 'transferFailed',
  done: 'transferDone',
  cancelled: 'transferCancelled',
}

export interface TransferListProps {
  transfers: readonly Transfer[]
  preferred: 'replace' | 'suffix'
  queue: TransferQueue
  onConflict: (id: number, conflict: Conflict) => void
}

/** Transfers, below the files; hidden while empty. */
export function TransferList({ transfers, preferred, queue, onConflict }: TransferListProps) {
  if (transfers.length === 0) return null
  const conflicts = transfers.filter(({ state }) => state === 'conflict')
  const settleAll = (which: readonly Transfer[]) => {
    for (const { id } of which) onConflict(id, preferred)
  }
  return (
    <section className="transfers" aria-label={t('transfers')}>
      <header>
        <b>{t('transfers')}</b>
        <span className="count small">{t('transfersActive', { n: queue.active, all: transfers.length })}</span>
        <div className="grow" />
        {conflicts.length > 1 && (
          <Button size="small" type="text" onClick={() => settleAll(conflicts)}>
            {preferred === 'replace' ? t('replaceAll') : t('keepAll')}
          </Button>
        )}
        <Button size="small" type="text" onClick={() => queue.clearEnded()}>
          {t('clearEnded')}
        </Button>
      </header>
      <ul>
        {transfers.map((one) => (
          <li key={one.id} className={`is-${one.state}`}>
            {one.direction === 'up' ? (
              <ArrowUpFromLine size={14} className="kind" />
            ) : (
              <ArrowDownToLine size={14} className="kind" />
            )}
            <span className="clip" title={one.name}>
              {one.name}
            </span>
            <Progress
              percent={one.size > 0 ? Math.floor((one.offset / one.size) * 100) : one.state === 'done' ? 100 : 0}
              size="small"
              status={one.state === 'failed' ? 'exception' : 'normal'}
              aria-label={one.name}
            />
            <span className="num muted small transfer-state">
              {one.state === 'running' && one.speed > 0
                ? t('transferSpeed', {
                    done: sizeText(one.offset),
                    size: sizeText(one.size),
                    speed: sizeText(one.speed),
                  })
                : one.error
                  ? `${t(words[one.state])}: ${one.error}`
                  : t(words[one.state])}
            </span>
            <TransferActions one={one} queue={queue} onConflict={onConflict} preferred={preferred} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function TransferActions({
  one,
  queue,
  onConflict,
  preferred,
}: Pick<TransferListProps, 'queue' | 'onConflict' | 'preferred'> & { one: Transfer }) {
  const over = one.state === 'done' || one.state === 'cancelled'
  return (
    <span className="line transfer-actions">
      {one.state === 'conflict' &&
        (['replace', 'suffix'] as const).map((way) => (
          <Button
            key={way}
            size="small"
            type={way === preferred ? 'primary' : 'default'}
            onClick={() => onConflict(one.id, way)}
          >
            {way === 'replace' ? t('replaceFile') : t('keepBoth')}
          </Button>
        ))}
      {(one.state === 'running' || one.state === 'waiting') && (
        <Button
          size="small"
          type="text"
          icon={<Pause size={14} />}
          aria-label={t('pause')}
          title={t('pause')}
          onClick={() => queue.pause(one.id)}
        />
      )}
      {one.state === 'paused' && (
        <Button
          size="small"
          type="text"
          icon={<Play size={14} />}
          aria-label={t('resume')}
          title={t('resume')}
          onClick={() => queue.resume(one.id)}
        />
      )}
      {one.state === 'failed' && (
        <Button
          size="small"
          type="text"
          icon={<RotateCw size={14} />}
          aria-label={t('retry')}
          title={t('retry')}
          onClick={() => queue.resume(one.id)}
        />
      )}
      {!over && (
        <Button
          size="small"
          type="text"
          icon={<X size={14} />}
          aria-label={t('cancelTransfer')}
          title={t('cancelTransfer')}
          onClick={() => queue.cancel(one.id)}
        />
      )}
    </span>
  )
}
