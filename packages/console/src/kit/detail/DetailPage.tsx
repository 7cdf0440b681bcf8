/** Page of one object: header, tabs and facts, with activity beside them on wide screens. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { useMedia } from '../../browser/media.ts'
import { below, call } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { audience, type Fields, metadataOf } from '../api/metadata.ts'
import { confirm } from '../confirm.ts'
import { placeOf } from '../list/place.ts'
import { Failed } from '../list/states.tsx'
import { Back, CloseContext, PageHead, type Tab, TabBar, useScreen, useTabs, useTitle } from '../page.tsx'
import { type PathOf, type Row, type RowFunction, wordOf } from '../row.ts'
import { isForAnyOrganization } from '../screen.ts'
import { rights } from '../session.ts'
import { type TextKey, t } from '../text.ts'
import { toast } from '../toast.ts'
import { Activity, mayReadActivity } from './Activity.tsx'
import { everyFact, type Fact, Facts } from './Facts.tsx'

export interface DetailContext<R extends Row = Row> {
  row: R
  fields: Fields
  reload: () => void
}

type DetailTab<R extends Row> = Omit<Tab, 'render' | 'visible'> & {
  visible?: RowFunction<[row: R], boolean>
  render: RowFunction<[context: DetailContext<R>], ReactNode>
}

/** The page of an object of type `R`: a type alias, since an interface has no index signature. */
export interface DetailSpec<R extends Row = Row, F extends string = PathOf<R>> {
  url: string
  resource: string
  noun: TextKey
  path: string
  /** Page title; defaults to the object's name. */
  title?(row: R): string
  icon?(row: R): ReactNode
  /** Status after the title. */
  badge?(row: R): ReactNode
  /** Line below the title. */
  under?(row: R): ReactNode
  facts?: readonly (F | Fact<R, F>)[]
  /** Content below the facts: quick actions, relations. */
  sections?(context: DetailContext<R>): ReactNode
  /** Key of the tab with facts and sections, in addresses. */
  factsTab?: string
  /** Tabs after the one with the facts. */
  tabs?: readonly DetailTab<R>[]
  /** Buttons of the page's head, before update and delete. */
  headActions?(context: DetailContext<R>): ReactNode
  update?: false | { to?(row: R): string; visible?(row: R): boolean }
  remove?: false | { visible?(row: R): boolean; after?: () => Promise<unknown> }
  activity?: boolean
}

/** The noun in sentence case. */
const kindOf = ({ noun }: DetailSpec): string => t(noun).replace(/^./u, (letter) => letter.toUpperCase())

/** "User: Marta", as in tab strip, window title and heading. */
const titleOf = (spec: DetailSpec, name: string): string => t('titledObject', { noun: kindOf(spec), name })

/** Truncates to 80 characters with an ellipsis. */
const cut = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

const nameOf = (row: Row): string => wordOf(row.display_name ?? row.name ?? row.username ?? row.id)

export function DetailPage({ spec }: { spec: DetailSpec }) {
  const { id = '' } = useParams()
  const client = useQueryClient()
  const url = below(spec.url, `${id}/`)
  const key = ['object-page', url, ...audience()]
  const object = useQuery({ queryKey: key, queryFn: () => call<Row>(url, { quiet: true }) })
  const metadata = useQuery(metadataOf(url))
  const name = object.data && (spec.title?.(object.data) ?? nameOf(object.data))
  useTitle(name === undefined ? undefined : cut(titleOf(spec, name)))
  if (object.error) {
    const missing = object.error instanceof ApiError && object.error.status === 404
    return (
      <div className="page">
        <PageHead
          title={t(missing ? 'objectMissing' : 'objectUnread', { noun: kindOf(spec) })}
          back={placeOf(spec.path)}
        />
        <Failed error={object.error} retry={() => void object.refetch()} />
      </div>
    )
  }
  if (!object.data || metadata.isPending) {
    return (
      <div className="page">
        <Skeleton active title={false} paragraph={{ rows: 8 }} />
      </div>
    )
  }
  const context: DetailContext = {
    row: object.data,
    fields: metadata.data?.actions?.GET ?? {},
    reload: () => void client.invalidateQueries({ queryKey: key }),
  }
  return <Loaded spec={spec} context={context} name={name ?? ''} />
}

function Loaded({ spec, context, name }: { spec: DetailSpec; context: DetailContext; name: string }) {
  const { row, fields } = context
  const wide = useMedia('(min-width: 1280px)')
  const activity = spec.activity !== false && mayReadActivity()
  const factsTab: Tab = {
    key: spec.factsTab ?? 'Detail',
    title: 'tabOverview',
    render: () => (
      <>
        <div className="section-head">
          <h2>{t('facts')}</h2>
        </div>
        <Facts row={row} fields={fields} facts={spec.facts ?? everyFact(fields)} />
        {spec.sections?.(context)}
      </>
    ),
  }
  const tabs: Tab[] = [
    factsTab,
    ...(spec.tabs ?? []).map(({ visible, render, ...tab }) => ({
      ...tab,
      visible: visible?.(row) ?? true,
      render: () => render(context),
    })),
    { key: 'Activity', title: 'activity', visible: activity, render: () => <Activity id={row.id} /> },
  ]
  // Lists in tabs keep no state in the address.
  const { visible, active, open } = useTabs(tabs, undefined, 'screen')
  const rail = wide && activity && active?.key === factsTab.key
  return (
    <div className="page list-page detail-page">
      <Head spec={spec} context={context} name={name} />
      <TabBar tabs={visible} active={active?.key} onOpen={open} />
      <div className={rail ? 'detail' : 'detail alone'}>
        <div className="tab-body" key={active?.key}>
          {active?.render()}
        </div>
        {rail && (
          <aside>
            <Activity id={row.id} />
          </aside>
        )}
      </div>
    </div>
  )
}

function Head({ spec, context, name }: { spec: DetailSpec; context: DetailContext; name: string }) {
  const screen = useScreen()
  const go = useNavigate()
  const { row } = context
  const may = rights(spec.resource, isForAnyOrganization(screen))
  const update = spec.update !== false && may.change && (spec.update?.visible?.(row) ?? true)
  const remove = spec.remove !== false && may.delete && (spec.remove?.visible?.(row) ?? true)
  const own = spec.update ? spec.update.to?.(row) : undefined
  const { search } = useLocation()
  const closeTab = useContext(CloseContext)
  const url = below(spec.url, `${row.id}/`)
  const to = own ?? `${spec.path}/${row.id}/update${search}`
  const erase = () =>
    confirm({
      title: t('deleteTitle', { noun: t(spec.noun) }),
      text: t('deleteText', { name }),
      verb: t('delete'),
      danger: true,
      run: async () => {
        await call(url, { method: 'DELETE' })
        if (spec.remove) await spec.remove.after?.()
        toast.ok(t('deleted', { name }))
        closeTab()
        // Replaces the history entry, so that the back button skips the deleted object.
        go(placeOf(spec.path), { replace: true })
      },
    })
  return (
    <header className="detail-head">
      <Back to={placeOf(spec.path)} />
      {spec.icon && <span className="tile">{spec.icon(row)}</span>}
      <div className="grow">
        <PageHead
          title={<DetailTitle kind={titleOf(spec, '')} title={cut(titleOf(spec, name))} />}
          back={false}
          after={spec.badge?.(row)}
        />
        {spec.under && <p className="clip">{spec.under(row)}</p>}
      </div>
      <div className="head-actions">
        {spec.headActions?.(context)}
        {update && (
          <Button icon={<Pencil size={16} />} onClick={() => go(to)}>
            {t('update')}
          </Button>
        )}
        {remove && (
          <Button danger icon={<Trash2 size={16} />} onClick={erase}>
            {t('delete')}
          </Button>
        )}
      </div>
    </header>
  )
}

/** The object type, less prominent after the name. */
function DetailTitle({ kind, title }: { kind: string; title: string }) {
  return (
    <>
      <span className="kind-prefix">{kind}</span>
      {title.slice(kind.length)}
    </>
  )
}
