import type { FileEntry } from '@castellan/contract/web-terminal'
import { Button } from 'antd'
import { ArrowDown, ArrowUp, File, FileSymlink, FileText, Folder, type LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { locale } from '../../kit/text.ts'
import { t } from '../text.ts'
import { modeText, sizeText } from './paths.ts'
import { type Order, type SortKey, sortEntries } from './sorting.ts'

export interface FileTableProps {
  entries: FileEntry[]
  loading: boolean
  error: string
  empty: string
  selected: ReadonlySet<string>
  onSelect: (names: ReadonlySet<string>) => void
  onOpen: (entry: FileEntry) => void
  onUp: () => void
  onRename: (entry: FileEntry) => void
  onRemove: () => void
  onRetry: () => void
}

const rowHeight = 32
const spare = 12

/** Rows of a folder. Only visible rows are rendered: a folder may have ten thousand entries. */
export function FileTable(props: FileTableProps) {
  const { entries, selected } = props
  const [order, setOrder] = useState<Order>({ by: 'name', down: false })
  const [at, setAt] = useState(0)
  const [anchor, setAnchor] = useState(0)
  const [view, setView] = useState({ top: 0, height: 600 })
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const sorted = useMemo(() => sortEntries(entries, order), [entries, order])
  const typed = useRef({ text: '', until: 0 })

  useEffect(() => {
    const element = box.current
    if (!element) return
    const watcher = new ResizeObserver(() => setView((now) => ({ ...now, height: element.clientHeight })))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder starts at its top
  useEffect(() => {
    setAt(0)
    setAnchor(0)
    if (box.current) box.current.scrollTop = 0
  }, [entries])

  const move = (to: number, extend: boolean) => {
    const next = Math.min(sorted.length - 1, Math.max(0, to))
    const from = extend ? anchor : next
    setAt(next)
    setAnchor(from)
    props.onSelect(new Set(sorted.slice(Math.min(from, next), Math.max(from, next) + 1).map(({ name }) => name)))
    const element = box.current
    if (!element) return
    if (next * rowHeight < element.scrollTop) element.scrollTop = next * rowHeight
    const bottom = (next + 1) * rowHeight - element.clientHeight + rowHeight
    if (bottom > element.scrollTop) element.scrollTop = bottom
  }
  const page = Math.max(1, Math.floor(view.height / rowHeight) - 2)
  const onKey = (event: KeyboardEvent) => {
    const entry = sorted[at]
    const actions: Record<string, () => void> = {
      ArrowDown: () => move(at + 1, event.shiftKey),
      ArrowUp: () => move(at - 1, event.shiftKey),
      PageDown: () => move(at + page, event.shiftKey),
      PageUp: () => move(at - page, event.shiftKey),
      Home: () => move(0, event.shiftKey),
      End: () => move(sorted.length - 1, event.shiftKey),
      Enter: () => entry && props.onOpen(entry),
      Backspace: props.onUp,
      F2: () => entry && props.onRename(entry),
      Delete: props.onRemove,
      Escape: () => props.onSelect(new Set()),
    }
    const action = actions[event.key]
    if (action) action()
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey))
      props.onSelect(new Set(sorted.map(({ name }) => name)))
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) jump(event.key)
    else return
    event.preventDefault()
  }
  /** Type-ahead: letters typed in quick succession select the first name that starts with them. */
  const jump = (letter: string) => {
    const now = performance.now()
    const text = (now < typed.current.until ? typed.current.text : '') + letter.toLowerCase()
    typed.current = { text, until: now + 800 }
    const found = sorted.findIndex(({ name }) => name.toLowerCase().startsWith(text))
    if (found >= 0) move(found, false)
  }
  const click = (event: MouseEvent, index: number) => {
    const entry = sorted[index]
    if (!entry) return
    if (event.shiftKey) move(index, true)
    else if (event.ctrlKey || event.metaKey) {
      const next = new Set(selected)
      if (!next.delete(entry.name)) next.add(entry.name)
      setAt(index)
      setAnchor(index)
      props.onSelect(next)
    } else move(index, false)
  }

  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const shown = sorted.slice(first, first + Math.ceil(view.height / rowHeight) + 2 * spare)
  const sortBy = (by: SortKey) => setOrder((now) => ({ by, down: now.by === by ? !now.down : false }))
  return (
    <div
      className="file-table"
      ref={box}
      onScroll={(event) => setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with rows selectable by keyboard is a grid
        role="grid"
        tabIndex={0}
        aria-label={t('files')}
        aria-rowcount={sorted.length}
        aria-multiselectable="true"
        aria-activedescendant={sorted[at] ? `${id}-${at}` : undefined}
        onKeyDown={onKey}
      >
        <thead>
          <tr className="file-row head">
            <Head by="name" order={order} onSort={sortBy} text={t('name')} />
            <Head by="size" order={order} onSort={sortBy} text={t('size')} />
            <Head by="modified" order={order} onSort={sortBy} text={t('modified')} />
            <Head by="mode" order={order} onSort={sortBy} text={t('mode')} />
            <Head by="owner" order={order} onSort={sortBy} text={t('owner')} />
          </tr>
        </thead>
        <tbody style={{ paddingTop: first * rowHeight, height: props.error ? 0 : sorted.length * rowHeight }}>
          {!props.error &&
            shown.map((entry, i) => {
              const index = first + i
              return (
                <Row
                  key={entry.name}
                  id={`${id}-${index}`}
                  entry={entry}
                  on={selected.has(entry.name)}
                  at={index === at}
                  onClick={(event) => click(event, index)}
                  onOpen={() => props.onOpen(entry)}
                  onMenu={() => !selected.has(entry.name) && move(index, false)}
                />
              )
            })}
        </tbody>
      </table>
      {props.loading && <p className="file-empty muted">{t('loading')}</p>}
      {props.error && (
        <div className="file-empty">
          <p>{props.error}</p>
          <Button size="small" onClick={props.onRetry}>
            {t('retry')}
          </Button>
        </div>
      )}
      {!props.error && !props.loading && sorted.length === 0 && <p className="file-empty muted">{props.empty}</p>}
    </div>
  )
}

interface RowProps {
  id: string
  entry: FileEntry
  on: boolean
  at: boolean
  onClick: (event: MouseEvent) => void
  onOpen: () => void
  onMenu: () => void
}

function Row({ id, entry, on, at, onClick, onOpen, onMenu }: RowProps) {
  const Icon = iconOf(entry)
  return (
    <tr
      id={id}
      className={`file-row ${on ? 'on' : ''} ${at ? 'at' : ''}`}
      aria-selected={on}
      onClick={onClick}
      onDoubleClick={onOpen}
      onContextMenu={onMenu}
    >
      <td className="file-name" title={entry.name}>
        <Icon size={14} className="kind" />
        <span className="clip">{entry.name}</span>
      </td>
      <td className="num end">{entry.type === 'file' ? sizeText(entry.size) : ''}</td>
      <td className="num">{timeText(entry.modified)}</td>
      <td className="mono wide">{modeText(entry.mode)}</td>
      <td className="clip wide">
        {entry.owner}
        {entry.group && `:${entry.group}`}
      </td>
    </tr>
  )
}

function Head({ by, order, onSort, text }: { by: SortKey; order: Order; onSort: (by: SortKey) => void; text: string }) {
  const on = order.by === by
  return (
    <th
      data-column={by}
      scope="col"
      className={`${by === 'size' ? 'end' : ''} ${by === 'mode' || by === 'owner' ? 'wide' : ''}`}
      aria-sort={on ? (order.down ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" onClick={() => onSort(by)}>
        {text}
        {on && (order.down ? <ArrowDown size={12} /> : <ArrowUp size={12} />)}
      </button>
    </th>
  )
}

function iconOf(entry: FileEntry): LucideIcon {
  if (entry.type === 'directory') return Folder
  if (entry.type === 'link') return FileSymlink
  return /\.(txt|md|log|conf|ya?ml|json|sh|ts|js|py|xml|ini)$/.test(entry.name) ? FileText : File
}

/** English uses month names, because numeric dates are ambiguous; Chinese does not need the longer format. */
function timeText(seconds: number): string {
  if (!seconds) return ''
  const dateStyle = locale().startsWith('en') ? 'medium' : 'short'
  return new Date(seconds * 1000).toLocaleString(locale(), { dateStyle, timeStyle: 'short' })
}
