import { TabbedListPage } from '../../kit/list/ListPage.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { list as accountList } from './accounts.tsx'
import { list as strategyList } from './strategies.tsx'
import { list as taskList } from './tasks.tsx'

/** Tasks, strategies and accounts of cloud synchronization. */
export default function CloudCenter() {
  return (
    <TabbedListPage
      tabs={[
        {
          key: 'SyncInstanceTaskList',
          title: 'syncTasks',
          permission: 'xpack.view_syncinstancetask',
          render: () => <ListView spec={taskList} />,
        },
        {
          key: 'StrategyList',
          title: 'cloudStrategies',
          permission: 'xpack.view_strategy',
          render: () => <ListView spec={strategyList} />,
        },
        {
          key: 'AccountList',
          title: 'cloudAccounts',
          permission: 'xpack.view_account',
          render: () => <ListView spec={accountList} />,
        },
      ]}
    />
  )
}
