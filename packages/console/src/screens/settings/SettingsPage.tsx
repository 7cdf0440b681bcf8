/** A page of settings: one tab per category, and tabs of its own. */
import { PageHead, type Tab, TabBar, useScreen, useTabs } from '../../kit/page.tsx'
import { t } from '../../kit/text.ts'
import { CategoryPanel } from './CategoryPanel.tsx'
import type { CategoryTab } from './category.ts'

export function SettingsPage({ tabs }: { tabs: readonly (CategoryTab | Tab)[] }) {
  const screen = useScreen()
  const { visible, active, open } = useTabs(
    tabs.map((tab) =>
      'form' in tab
        ? {
            ...tab,
            render: () => (
              <>
                <CategoryPanel form={tab.form} />
                {tab.below?.()}
              </>
            ),
          }
        : tab,
    ),
  )
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
