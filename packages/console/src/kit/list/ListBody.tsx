/** Parts of every list without dialogs: toolbar, filters, rows, pager and selection bar. */
import { Button, Dropdown } from 'antd'
import { Columns3, Download, Plus, RefreshCw, Trash2, Upload, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { announce } from '../../browser/announce.ts'
import { useNarrow } from '../../browser/media.ts'
import { ApiError, attempt } from '../api/errors.ts'
import { confirm } from '../confirm.ts'
import { lazyComponent } from '../lazy-component.tsx'
import { choosesOnly } from '../menu.ts'
import { Pager } from '../Pager.tsx'
import { number } from '../row.ts'
import { Select } from '../Select.tsx'
import { nounFor, t } from '../text.ts'
import { toast } from '../toast.ts'
import type { List } from './controller.ts'
import { FilterBar } from './FilterBar.tsx'
import { batchOf, mayExport } from './row-actions-width.ts'
import type { Acting, BatchAction } from './spec.ts'
import { pageSizes } from './state.ts'
import { Failed, Nothing } from './states.tsx'
import { Rows } from './Table.tsx'

const DateRange = lazyComponent(() => import('./DateRange.tsx'), <div className="date-range-room" aria-busy />)

/** Dialogs opened by a list. */
export type Opened = 'columns' | 'export' | 'exportSelected' | 'import' | 'batch'

export function ListBody({ list, open }: { list: List; open: (what: Opened) => void }) {
  useAnnouncements(list)
  return (
    <div className="list-body" ref={useRoom(list.setRoom)}>
      <Toolbar list={list} open={open} />
      <Content list={list} open={open} />
      <Foot list={list} open={open} />
    </div>
  )
}

const rangeOf = ({ state, total }: List): string =>
  t('range', {
    from: number((state.page - 1) * state.size + 1),
    to: number(Math.min(total, state.page * state.size)),
    total: number(total),
  })

/** Announces results of a new filter or page, and the number of selected rows. */
function useAnnouncements(list: List): void {
  const asked = JSON.stringify(list.query)
  const answered = list.loading || list.refreshing || list.error ? undefined : asked
  const said = useRef<string>(undefined)
  const range = list.total === 0 ? t('nothingFound') : rangeOf(list)
  useEffect(() => {
    if (answered === undefined || answered === said.current) return
    // The initial result is not announced; it is read in place.
    if (said.current !== undefined) announce(range)
    said.current = answered
  }, [answered, range])
  const selected = list.selected.length
  const before = useRef(selected)
  useEffect(() => {
    if (selected !== before.current) announce(t('selected', { count: number(selected) }))
    before.current = selected
  }, [selected])
}

/** Measured before the first paint: columns that do not fit are never shown. */
function useRoom(tell: List['setRoom']) {
  const box = useRef<HTMLDivElement>(null)
  const narrow = useNarrow()
  useLayoutEffect(() => {
    const element = box.current
    if (!element || narrow) return tell(undefined)
    const measure = () => tell(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [tell, narrow])
  return box
}

/** Arguments of list actions. */
export const actingOn = (list: List): Acting => ({ rows: list.selected, reload: list.reload, clear: list.clear })

function useCreate(list: List): (() => void) | undefined {
  const go = useNavigate()
  const { path } = list.spec
  const { create } = list.spec.actions
  if (!create || !(create.visible ?? list.rights.add)) return undefined
  return () => void attempt(() => (create.run ? create.run(actingOn(list)) : go(create.to ?? `${path}/create`)))
}

function Toolbar({ list, open }: { list: List; open: (what: Opened) => void }) {
  const { spec, state } = list
  const narrow = useNarrow()
  const create = useCreate(list)
  const Header = spec.actions.toolbar
  const elsewhere =
    typeof spec.files.import === 'object' && 'elsewhere' in spec.files.import && spec.files.import.elsewhere
  const icons = [
    { key: 'columns' as const, icon: <Columns3 size={16} />, label: t('columns'), visible: !narrow && !spec.picking },
    {
      key: 'import' as const,
      icon: <Upload size={16} />,
      label: t('import'),
      visible: spec.files.import !== false && list.rights.importing && !narrow,
    },
    { key: 'export' as const, icon: <Download size={16} />, label: t('export'), visible: mayExport(spec) },
  ]
  return (
    <div className="toolbar">
      {create && spec.actions.create && (
        <Button type="primary" icon={<Plus size={16} />} onClick={create}>
          {t(spec.actions.create.label)}
        </Button>
      )}
      {Header && <Header {...actingOn(list)} />}
      <FilterBar filters={list.filters} state={state} onChange={list.change} />
      {spec.search.dateRange && <DateRange from={state.dateFrom} to={state.dateTo} onChange={list.date} />}
      <div className="icons">
        {icons
          .filter((icon) => icon.visible)
          .map((icon) => (
            <Button
              key={icon.key}
              type="text"
              icon={icon.icon}
              title={icon.label}
              aria-label={icon.label}
              onClick={() => (icon.key === 'import' && elsewhere ? toast.error(t(elsewhere)) : open(icon.key))}
            />
          ))}
        <Button
          type="text"
          icon={<RefreshCw size={16} />}
          title={t('refresh')}
          aria-label={t('refresh')}
          onClick={list.refresh}
        />
      </div>
    </div>
  )
}

function Content({ list, open }: { list: List; open: (what: Opened) => void }) {
  const create = useCreate(list)
  const narrow = useNarrow()
  const { spec } = list
  if (list.error && !list.loading) return <Failed error={list.error} retry={list.retry} />
  if (list.loading) return <Waiting rows={list.state.size} />
  if (list.rows.length === 0) {
    return (
      <Nothing
        filtered={list.filtered}
        title={t(spec.texts.emptyTitle ?? 'nothingYet')}
        text={spec.texts.empty ? t(spec.texts.empty) : t('emptyList')}
        onClear={() => list.change({ ...list.state, page: 1, tags: [] })}
        action={create && spec.actions.create ? { label: t(spec.actions.create.label), run: create } : undefined}
      />
    )
  }
  // Must be known before the first paint; otherwise all rows would render twice.
  if (list.room === undefined && !narrow) return null
  return (
    <div className={list.refreshing ? 'table-box refreshing' : 'table-box'}>
      {list.selected.length > 0 && !narrow && <SelectionBar list={list} open={open} />}
      <Rows list={list} />
    </div>
  )
}

/** Sticky at the end. On a phone it includes the selection actions, which must not move rows. */
function Foot({ list, open }: { list: List; open: (what: Opened) => void }) {
  const narrow = useNarrow()
  return (
    <div className="list-foot">
      {narrow && list.selected.length > 0 && <SelectionBar list={list} open={open} />}
      <Pages list={list} />
    </div>
  )
}

/** Actions for selected rows. If they do not fit, the first one beside a menu with the others. */
function SelectionBar({ list, open }: { list: List; open: (what: Opened) => void }) {
  const { spec, selected, rights } = list
  const narrow = useNarrow()
  const remove = () =>
    confirm({
      title: t('deleteManyTitle', {
        count: number(selected.length),
        noun: nounFor(spec.noun, selected.length),
      }),
      text: t('deleteManyText', { count: number(selected.length) }),
      verb: t('delete'),
      danger: true,
      run: async () => {
        try {
          await list.removeSelected()
          toast.ok(t('deletedMany', { count: number(selected.length) }))
        } catch (error) {
          if (error instanceof ApiError) toast.error(t('deleteManyFailed', { reason: error.message }))
          throw error
        }
      },
    })
  const { updating, removing, others } = batchOf(spec, rights)
  const update = { key: 'update', label: t('updateSelected'), run: () => open('batch') }
  const deletion = { key: 'delete', label: t('delete'), icon: <Trash2 size={14} />, danger: true, run: remove }
  const changes: BatchAction[] = [...(updating ? [update] : []), ...others, ...(removing ? [deletion] : [])]
  // Where nothing can be changed, as in the root organization, rows are selected for export only.
  const file: BatchAction = {
    key: 'export',
    label: t('export'),
    icon: <Download size={14} />,
    run: () => open('exportSelected'),
  }
  const actions = changes.length > 0 ? changes : [file]
  const fits = narrow ? 2 : 5
  const behind = actions.length > fits ? actions.slice(fits - (narrow ? 1 : 2), narrow ? undefined : -1) : []
  const inSight = actions.filter((action) => !behind.includes(action))
  const more = behind.length > 0 && (
    <Dropdown
      key="more"
      autoFocus
      menu={{
        onClick: choosesOnly,
        items: behind.map(({ key, label, icon, danger, run }) => ({
          key,
          label,
          icon,
          danger,
          onClick: () => void attempt(() => run(actingOn(list))),
        })),
      }}
      trigger={['click']}
    >
      <Button type="text" size="small">
        {t('more')}
      </Button>
    </Dropdown>
  )
  const buttons = inSight.map(({ key, label, icon, danger, run }) => (
    <Button
      key={key}
      type="text"
      size="small"
      danger={danger}
      icon={icon}
      onClick={() => void attempt(() => run(actingOn(list)))}
    >
      {label}
    </Button>
  ))
  return (
    <div className="selection-bar">
      <b>{t('selected', { count: number(selected.length) })}</b>
      <i />
      {narrow ? [...buttons, more] : [...buttons.slice(0, -1), more, ...buttons.slice(-1)]}
      <div className="grow" />
      <Button
        type="text"
        size="small"
        icon={<X size={14} />}
        aria-label={t('clearSelection')}
        title={narrow ? t('clearSelection') : undefined}
        onClick={list.clear}
      >
        {!narrow && t('clearSelection')}
      </Button>
    </div>
  )
}

function Pages({ list }: { list: List }) {
  const { state, total } = list
  const narrow = useNarrow()
  if (total === 0) return null
  return (
    <div className="pager">
      <span>{rangeOf(list)}</span>
      <Pager
        page={state.page}
        size={state.size}
        total={total}
        simple={narrow}
        onChange={(page) => list.change({ ...state, page })}
      >
        {!narrow && (
          <Select
            size="small"
            aria-label={t('pageSize')}
            popupMatchSelectWidth={false}
            value={state.size}
            options={pageSizes.map((value) => ({ value, label: t('perPage', { count: number(value) }) }))}
            onChange={(size) => list.change({ ...state, page: 1, size })}
          />
        )}
      </Pager>
    </div>
  )
}

/** The layout of the list while the first response is loading. */
function Waiting({ rows }: { rows: number }) {
  return (
    <div className="skeleton" aria-busy="true" role="status" aria-label={t('loading')}>
      {Array.from({ length: Math.min(rows, 15) }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without content or order
        <div key={index}>
          <i style={{ width: 16 }} />
          <i style={{ width: `${14 + ((index * 7) % 9)}%` }} />
          <i style={{ width: '18%' }} />
          <i style={{ width: '12%' }} />
          <i style={{ width: '9%' }} />
        </div>
      ))}
    </div>
  )
}
