/** List page: title with total, optional tree beside it. */
import type { ReactNode } from 'react'
import { PageHead, type Tab, TabBar, useScreen, useTabs } from '../page.tsx'
import { number } from '../row.ts'
import { isForAnyOrganization } from '../screen.ts'
import { t } from '../text.ts'
import type { List } from './controller.ts'
import { ListView } from './ListView.tsx'
import type { ListSpec } from './spec.ts'

/** "1,284" or, when filtered, "618 of 1,284". */
function countOf({ loading, error, showsFiltered, total, whole }: List): string {
  if (loading || error) return ''
  if (!showsFiltered) return number(total)
  return whole === undefined
    ? t('found', { count: number(total) })
    : t('foundOf', { count: number(total), total: number(whole) })
}

export function ListPage({ spec, head }: { spec: ListSpec; head?: ReactNode }) {
  const screen = useScreen()
  const anywhere = isForAnyOrganization(screen)
  return (
    <div className="page list-page">
      <ListView
        spec={spec}
        anywhere={anywhere}
        head={(list) => (
          <PageHead title={t(screen.title)} count={countOf(list)}>
            {head}
          </PageHead>
        )}
      />
    </div>
  )
}

/** Several lists on one page, one per tab. */
export function TabbedListPage({
  tabs,
  fallback,
  opens,
}: {
  tabs: readonly Tab[]
  fallback?: string
  /** The tab that the route names. */
  opens?: string
}) {
  const screen = useScreen()
  const { visible, active, open } = useTabs(tabs, fallback, 'tab', opens)
  return (
    <div className="page list-page">
      <PageHead title={t(screen.title)} />
      <TabBar tabs={visible} active={active?.key} onOpen={open} />
      <div className="tab-body" key={active?.key}>
        {active?.render()}
      </div>
    </div>
  )
}
