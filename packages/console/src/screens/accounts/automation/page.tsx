import { TabbedListPage } from '../../../kit/list/ListPage.tsx'
import { ListView } from '../../../kit/list/ListView.tsx'
import { type Tab, useScreen } from '../../../kit/page.tsx'
import type { ScreenModule } from '../../../kit/screen.ts'
import { code } from '../../../kit/session.ts'
import { executionList } from './executions.tsx'
import { planList } from './plans.tsx'
import type { AutomationScreens } from './screens.ts'

/** The plans of an automation, and their executions. */
export const automationTabs = (screens: AutomationScreens): Tab[] => [
  {
    key: screens.plansTab,
    title: 'plans',
    permission: code(screens.resource, 'view'),
    render: () => <ListView spec={planList(screens)} />,
  },
  {
    key: screens.executionsTab,
    title: 'executions',
    permission: code(screens.executionResource, 'view'),
    render: () => <ListView spec={executionList(screens)} />,
  },
]

/** The tabs as a page, whose second address opens the executions. */
export function AutomationPage({ screens, tabs }: { screens: AutomationScreens; tabs: readonly Tab[] }) {
  const { name } = useScreen()
  return <TabbedListPage tabs={tabs} opens={name === screens.list ? undefined : screens.executionsTab} />
}

/** The page of an automation that shows nothing else. */
export const automationPage = (screens: AutomationScreens): ScreenModule => ({
  default: () => <AutomationPage screens={screens} tabs={automationTabs(screens)} />,
})
