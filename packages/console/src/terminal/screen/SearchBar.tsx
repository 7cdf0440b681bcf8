import { Button, Input } from 'antd'
import { CaseSensitive, ChevronDown, ChevronUp, Regex, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { terminal } from '../../tokens.ts'
import { t } from '../text.ts'
import type { Screen } from './screen.ts'

const decorations = {
  matchBorder: terminal.dim,
  matchOverviewRuler: terminal.yellow,
  activeMatchBorder: terminal.yellow,
  activeMatchColorOverviewRuler: terminal.red,
}

/** Search in the scroll-back: Enter searches upward through older output, Shift Enter downward. */
export function SearchBar({ screen, onClose }: { screen: Screen; onClose: () => void }) {
  const [text, setText] = useState(() => screen.term.getSelection().split('\n')[0] ?? '')
  const [caseSensitive, setCaseSensitive] = useState(false)
  const [regex, setRegex] = useState(false)
  const [found, setFound] = useState({ resultIndex: -1, resultCount: 0 })

  useEffect(() => {
    const listener = screen.search.onDidChangeResults(setFound)
    return () => {
      listener.dispose()
      screen.search.clearDecorations()
    }
  }, [screen])

  const step = (back: boolean, incremental = false) => {
    const options = { caseSensitive, regex, incremental, decorations }
    try {
      if (back) screen.search.findPrevious(text, options)
      else screen.search.findNext(text, options)
    } catch {
      setFound({ resultIndex: -1, resultCount: 0 })
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed query is searched at once
  useEffect(() => {
    if (text) step(true, true)
    else screen.search.clearDecorations()
  }, [text, caseSensitive, regex])

  const count = !text
    ? ''
    : found.resultCount === 0
      ? t('nothingFound')
      : t('foundOf', { at: found.resultIndex + 1, count: found.resultCount })
  return (
    <search className="term-search">
      <Input
        size="small"
        autoFocus
        value={text}
        placeholder={t('findInOutput')}
        aria-label={t('findInOutput')}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          if (event.key === 'Enter') step(!event.shiftKey)
        }}
        suffix={<span className="num muted small">{count}</span>}
      />
      <Toggle on={caseSensitive} set={setCaseSensitive} label={t('matchCase')} icon={<CaseSensitive size={14} />} />
      <Toggle on={regex} set={setRegex} label={t('asPattern')} icon={<Regex size={14} />} />
      <Button
        size="small"
        type="text"
        aria-label={t('previous')}
        icon={<ChevronUp size={14} />}
        onClick={() => step(true)}
      />
      <Button
        size="small"
        type="text"
        aria-label={t('next')}
        icon={<ChevronDown size={14} />}
        onClick={() => step(false)}
      />
      <Button size="small" type="text" aria-label={t('close')} icon={<X size={14} />} onClick={onClose} />
    </search>
  )
}

function Toggle(props: { on: boolean; set: (on: boolean) => void; label: string; icon: React.ReactNode }) {
  return (
    <Button
      size="small"
      type="text"
      className={props.on ? 'is-on' : ''}
      aria-pressed={props.on}
      aria-label={props.label}
      title={props.label}
      icon={props.icon}
      onClick={() => props.set(!props.on)}
    />
  )
}
