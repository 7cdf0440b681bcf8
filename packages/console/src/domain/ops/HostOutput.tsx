/** What an execution did: all hosts at a glance, and a block for each with what it printed. */
import { Button } from 'antd'
import { ChevronDown, ChevronRight, Download, Search } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import { copyText } from '../../kit/copy.ts'
import { number } from '../../kit/row.ts'
import { type TextKey, t } from '../../kit/text.ts'
import { styledText } from './ansi.ts'
import './host-output.css'
import type { Execution, Host, HostStatus } from './use-execution.ts'

const tones: Readonly<Record<HostStatus, 'ok' | 'danger' | 'warning' | 'info' | 'idle'>> = {
  success: 'ok',
  failed: 'danger',
  lost: 'danger',
  canceled: 'warning',
  skipped: 'warning',
  running: 'info',
  pending: 'idle',
}

/** Groups of states that a user asks for. */
const filters: readonly { key: string; title: TextKey; has: readonly HostStatus[] }[] = [
  { key: 'running', title: 'hostsRunning', has: ['running', 'pending'] },
  { key: 'success', title: 'hostsSucceeded', has: ['success'] },
  { key: 'failed', title: 'hostsFailed', has: ['failed', 'lost', 'canceled'] },
  { key: 'skipped', title: 'hostsSkipped', has: ['skipped'] },
]

/** With more hosts than this, only those that failed are open at first. */
const fewHosts = 12
/** Blocks, and squares of the grid, that are drawn at a time. */
const mostBlocks = 200
const mostSquares = 2000
/** Characters of a host's output that are drawn until the user wants all. */
const mostDrawn = 65_536

/** Output with its colors. Only the end of a long one is drawn at first. */
const Output = memo(function Output({ text }: { text: string }) {
  const [whole, setWhole] = useState(false)
  const shown = whole || text.length <= mostDrawn ? text : text.slice(-mostDrawn)
  const parts = useMemo(() => styledText(shown.replace(/\n$/, '')), [shown])
  let at = 0
  return (
    <>
      {shown.length < text.length && (
        <Button size="small" type="link" onClick={() => setWhole(true)}>
          {t('outputShowAll', { count: number(text.length) })}
        </Button>
      )}
      <pre>
        {parts.map(({ text: words, style }) => {
          at += words.length
          return style ? (
            <span key={at} className={style}>
              {words}
            </span>
          ) : (
            words
          )
        })}
      </pre>
    </>
  )
})

const seconds = (value: number | undefined) => (value === undefined ? '' : `${value.toFixed(1)} s`)

/** The facts of a host's end in a line. */
const factsOf = ({ account, rc, seconds: time }: Host): string =>
  [account, rc === undefined || rc === null ? '' : t('exitStatus', { rc }), seconds(time)].filter(Boolean).join(' · ')

const Block = memo(function Block({
  host,
  open,
  fileUrl,
  fetchedUrl,
  onToggle,
}: {
  host: Host
  open: boolean
  fileUrl: string
  /** The file that was fetched from the host; undefined when none was. */
  fetchedUrl: string | undefined
  onToggle: (id: string) => void
}) {
  return (
    <section className="host-block" id={`host-${host.id}`} data-host={host.name} data-status={host.status}>
      <header>
        <button type="button" aria-expanded={open} onClick={() => onToggle(host.id)}>
          {open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
          <span className={`dot is-${tones[host.status]} ${host.status === 'running' ? 'live' : ''}`}>{host.word}</span>
          <b className="clip">{host.name}</b>
          <span className="facts clip">{factsOf(host)}</span>
        </button>
        {host.output && (
          <button type="button" className="host-copy" onClick={() => void copyText(host.output)}>
            {t('copy')}
          </button>
        )}
      </header>
      {open && (
        <div className="host-text">
          {host.output && <Output text={host.output} />}
          {fetchedUrl && host.status === 'success' && (
            <a href={fetchedUrl} download>
              <Download size={14} /> {t('transferSave')}
            </a>
          )}
          {host.error && <p className={host.status === 'skipped' ? 'host-reason' : 'host-error'}>{host.error}</p>}
          {!host.output && !host.error && (
            <p className="host-silent">{t(host.status === 'success' ? 'outputNone' : 'outputWaiting')}</p>
          )}
          {host.rest !== 'none' && (
            <a href={`${fileUrl}?asset=${host.id}`} download>
              <Download size={14} /> {t(host.rest === 'file' ? 'outputFile' : 'outputFileCut')}
            </a>
          )}
        </div>
      )}
    </section>
  )
})

/** A square for each host; a press opens its block. */
function Grid({ hosts, onOpen }: { hosts: readonly Host[]; onOpen: (id: string) => void }) {
  return (
    <section className="host-grid" aria-label={t('hostsAtGlance')}>
      {hosts.slice(0, mostSquares).map((host) => (
        <button
          type="button"
          key={host.id}
          className={`square is-${tones[host.status]}`}
          data-status={host.status}
          title={`${host.name}: ${host.word}`}
          aria-label={`${host.name}: ${host.word}`}
          onClick={() => onOpen(host.id)}
        />
      ))}
      {hosts.length > mostSquares && <em className="muted">+{number(hosts.length - mostSquares)}</em>}
    </section>
  )
}

const ownUrl = '/api/v1/ops/job-executions/'

/** `url` is the collection the execution is read from: it has the files with the rest of long outputs. */
export function HostOutput({ execution, url = ownUrl }: { execution: Execution; url?: string }) {
  const { hosts } = execution
  const [filter, setFilter] = useState<string>()
  const [find, setFind] = useState('')
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [most, setMost] = useState(mostBlocks)
  const has = filters.find(({ key }) => key === filter)?.has
  const shown = hosts.filter(
    (host) =>
      (!has || has.includes(host.status)) &&
      (find === '' || host.name.toLowerCase().includes(find.toLowerCase()) || host.output.includes(find)),
  )
  const byDefault = (host: Host) => hosts.length <= fewHosts || host.status === 'failed' || host.status === 'lost'
  const isOpen = (host: Host) => toggled.get(host.id) ?? byDefault(host)
  const toggle = (id: string) => {
    const host = hosts.find((one) => one.id === id)
    if (host) setToggled((old) => new Map([...old, [id, !(old.get(id) ?? byDefault(host))]]))
  }
  const show = (id: string) => {
    setFilter(undefined)
    setFind('')
    setMost(Math.max(most, hosts.findIndex((host) => host.id === id) + 1))
    setToggled((old) => new Map([...old, [id, true]]))
    requestAnimationFrame(() => document.getElementById(`host-${id}`)?.scrollIntoView({ block: 'start' }))
  }
  const all = (open: boolean) => setToggled(new Map(hosts.map((host) => [host.id, open])))
  const fileUrl = `${url}${execution.id}/output-file/`
  // Files are their owner's alone.
  const isFetch = execution.type === 'fetch' && url === ownUrl
  return (
    <div className="host-output">
      {execution.error && (
        <p className="run-error" role="alert">
          {execution.error}
        </p>
      )}
      <div className="host-bar" role="toolbar" aria-label={t('hostsFilter')}>
        <button type="button" aria-pressed={!filter} onClick={() => setFilter(undefined)}>
          {t('hostsAll')} <em>{number(hosts.length)}</em>
        </button>
        {filters.map(({ key, title, has: states }) => {
          const count = hosts.filter(({ status }) => states.includes(status)).length
          return (
            (count > 0 || filter === key) && (
              <button
                type="button"
                key={key}
                data-filter={key}
                aria-pressed={filter === key}
                onClick={() => setFilter(filter === key ? undefined : key)}
              >
                {t(title)} <em>{number(count)}</em>
              </button>
            )
          )
        })}
        <span className="grow" />
        <label className="host-find">
          <Search size={14} />
          <input
            value={find}
            placeholder={t('outputFind')}
            aria-label={t('outputFind')}
            onChange={(event) => setFind(event.target.value)}
          />
        </label>
        <button type="button" onClick={() => all(true)}>
          {t('openAll')}
        </button>
        <button type="button" onClick={() => all(false)}>
          {t('closeAll')}
        </button>
      </div>
      {hosts.length > 1 && <Grid hosts={hosts} onOpen={show} />}
      <div className="host-blocks">
        {shown.slice(0, most).map((host) => (
          <Block
            key={host.id}
            host={host}
            open={isOpen(host)}
            fileUrl={fileUrl}
            fetchedUrl={isFetch ? `${url}${execution.id}/fetched-file/?asset=${host.id}` : undefined}
            onToggle={toggle}
          />
        ))}
        {shown.length > most && (
          <Button size="small" type="link" onClick={() => setMost(most + mostBlocks)}>
            {t('hostsMore', { count: number(shown.length - most) })}
          </Button>
        )}
        {shown.length === 0 && hosts.length > 0 && <p className="host-silent">{t('hostsNone')}</p>}
        {hosts.length === 0 && !execution.isFinished && <p className="host-silent">{t('hostsPreparing')}</p>}
      </div>
    </div>
  )
}
