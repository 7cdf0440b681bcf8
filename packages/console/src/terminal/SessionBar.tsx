import type { ReactNode } from 'react'
import { locale } from '../kit/text.ts'
import type { Status } from '../tokens.ts'
import { usePageTitle } from './page-title.ts'
import { clock } from './replay/commands.ts'
import { t } from './text.ts'

export interface SessionBarProps {
  badge: { is: Status; icon: ReactNode; text: string }
  user: string
  /** `account@asset` */
  target: string
  from: string | undefined
  /** ISO date. */
  since: string | undefined
  /** Seconds. */
  length: number
  children: ReactNode
}

/** User, asset, client address, start and duration: one line above a monitored or replayed session. */
export function SessionBar({ badge, user, target, from, since, length, children }: SessionBarProps) {
  usePageTitle(user && `${badge.text}: ${user} ${t('as')} ${target}`)
  return (
    <header className="session-bar">
      <h1 className="who">
        <span className={`badge soft-${badge.is}`}>
          {badge.icon}
          {badge.text}
        </span>
        <b className="clip">{user}</b>
        <span className="muted as">{t('as')}</span>
        <span className="mono clip">{target}</span>
      </h1>
      <span className="facts-line">
        {from && (
          <span>
            {t('from')} <b className="mono">{from}</b>
          </span>
        )}
        <span>
          {t('length')} <b className="num">{clock(length)}</b>
        </span>
        {since && (
          <span>
            {t('since')}{' '}
            <b className="num">
              {new Date(since).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' })}
            </b>
          </span>
        )}
      </span>
      <span className="session-actions">{children}</span>
    </header>
  )
}
