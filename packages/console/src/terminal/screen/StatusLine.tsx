import type { TerminalSessionInfo } from '@castellan/contract/web-terminal'
import { FolderUp, Search, Users, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../text.ts'
import type { Pane } from '../workspace/model.ts'

/** Remaining minutes from which the time is highlighted. */
const soon = 15
/** Minutes above which there is no end: permissions without an end have a date seventy years ahead. */
const farAway = 366 * 24 * 60

export interface StatusLineProps {
  pane: Pane
  session: TerminalSessionInfo | undefined
  latency: number | undefined
  paused: boolean
  /** Users in the session, the owner among them. */
  participants: number
  /** Undefined where the session cannot be shared. */
  onShare: (() => void) | undefined
  onFind: () => void
  onFiles: () => void
  onClose: (() => void) | undefined
}

/** Host, account, method and time of a session, below its terminal. */
export function StatusLine(props: StatusLineProps) {
  const { pane, session, latency, paused, participants, onShare, onFind, onFiles, onClose } = props
  const { target, state } = pane
  const running = state === 'open'
  return (
    <div className="line-bar">
      {running ? (
        <span className="rec">
          <i />
          {t('recorded')}
        </span>
      ) : (
        <span>{state === 'connecting' ? t('connecting') : t('ended')}</span>
      )}
      <b className="clip" title={target.asset.address}>
        {target.account}@{target.asset.name}
      </b>
      <span className="wide">{target.protocol}</span>
      {running && latency !== undefined && <span title={t('latency')}>{t('milliseconds', { n: latency })}</span>}
      {paused && <span className="y">{t('paused')}</span>}
      <div className="grow" />
      {running && session && <TimeLeft until={session.session.expire_at} />}
      {onShare && (
        <button
          type="button"
          className="sharers"
          onClick={onShare}
          aria-label={participants > 1 ? t('shareWith', { n: participants }) : t('shareSession')}
          title={participants > 1 ? t('shareWith', { n: participants }) : t('shareSession')}
        >
          <Users size={14} />
          {participants > 1 && participants}
        </button>
      )}
      <button
        type="button"
        onClick={onFind}
        aria-label={t('findInOutput')}
        title={`${t('findInOutput')} (Ctrl Shift F)`}
      >
        <Search size={14} />
      </button>
      {target.protocol === 'ssh' && (
        <button type="button" onClick={onFiles} aria-label={t('openFiles')} title={t('openFiles')}>
          <FolderUp size={14} />
        </button>
      )}
      {onClose && (
        <button type="button" onClick={onClose} aria-label={t('closePane')} title={t('closePane')}>
          <X size={14} />
        </button>
      )}
    </div>
  )
}

/** @param until unix seconds; 0 means no time limit */
export function TimeLeft({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 20_000)
    return () => clearInterval(timer)
  }, [])
  const minutes = Math.max(0, Math.ceil((until * 1000 - now) / 60_000))
  if (!until || minutes > farAway) return <span className="wide">{t('noTimeLimit')}</span>
  const text =
    minutes < 90
      ? t('minutesLeft', { n: minutes })
      : minutes < 48 * 60
        ? t('hoursLeft', { n: Math.round(minutes / 60) })
        : t('daysLeft', { n: Math.round(minutes / 1440) })
  return <span className={minutes < soon ? 'y' : 'wide'}>{text}</span>
}
