import { Button, Input } from 'antd'
import { Search } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Status } from '../../kit/status.tsx'
import { t } from '../text.ts'
import { type CommandMark, clock, currentCommand } from './commands.ts'

export interface CommandRailProps {
  marks: CommandMark[]
  /** Seconds; highlights the command at this time. */
  time: number
  loading: boolean
  /** Shown if the commands could not be loaded. */
  error?: string
  /** Undefined in a live view, which cannot jump. */
  onJump: ((mark: CommandMark) => void) | undefined
}

type Risk = 'all' | 'flagged' | 'danger'

/** Commands beside a session: flagged and refused ones are highlighted, each jumps to its time. */
export function CommandRail({ marks, time, loading, error, onJump }: CommandRailProps) {
  const [searching, setSearching] = useState(false)
  const [text, setText] = useState('')
  const [risk, setRisk] = useState<Risk>('all')
  const list = useRef<HTMLOListElement>(null)
  const current = marks[currentCommand(marks, time)]?.id
  const shown = useMemo(() => {
    const query = text.trim().toLowerCase()
    return marks.filter(
      (mark) =>
        (risk === 'all' || (risk === 'flagged' ? mark.tone !== undefined : mark.tone === 'danger')) &&
        (!query || mark.input.toLowerCase().includes(query)),
    )
  }, [marks, text, risk])

  useEffect(() => {
    if (current === undefined) list.current?.scrollTo({ top: 0 })
    else list.current?.querySelector('.now')?.scrollIntoView({ block: 'nearest' })
  }, [current])

  return (
    <aside className="rail" aria-label={t('commands')}>
      <header>
        <h2>{t('commands')}</h2>
        <span className="count small">
          {shown.length === marks.length ? marks.length : `${shown.length} / ${marks.length}`}
        </span>
        <div className="grow" />
        <Button
          type="text"
          size="small"
          icon={<Search size={14} />}
          aria-label={t('searchCommands')}
          aria-pressed={searching}
          className={searching ? 'is-on' : ''}
          onClick={() => {
            setSearching(!searching)
            setText('')
          }}
        />
        <select value={risk} aria-label={t('risk')} onChange={(event) => setRisk(event.target.value as Risk)}>
          <option value="all">{t('allRisks')}</option>
          <option value="flagged">{t('flaggedOnly')}</option>
          <option value="danger">{t('refusedOnly')}</option>
        </select>
      </header>
      {searching && (
        <Input
          size="small"
          autoFocus
          className="rail-search"
          value={text}
          placeholder={t('searchCommands')}
          aria-label={t('searchCommands')}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {marks.length === 0 && (
        <p className="rail-empty muted small">{error || (loading ? t('loading') : t('noCommands'))}</p>
      )}
      {/* Without a recording its buttons are disabled, so the list must be focusable to be scrolled by keyboard. */}
      <ol ref={list} tabIndex={onJump ? undefined : 0}>
        {shown.map((mark) => (
          <li key={mark.id}>
            <button
              type="button"
              className={`cmd ${mark.tone ?? ''} ${mark.id === current ? 'now' : ''}`}
              disabled={!onJump}
              onClick={() => onJump?.(mark)}
            >
              <time>{clock(mark.at)}</time>
              <code title={mark.input}>{mark.input}</code>
              {mark.tone && <Status is={mark.tone}>{mark.label}</Status>}
            </button>
          </li>
        ))}
      </ol>
    </aside>
  )
}
