import { useSearchParams } from 'react-router'
import { TabbedListPage } from '../../kit/list/ListPage.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { useScreen } from '../../kit/page.tsx'
import { list as filters } from './command-filters.tsx'
import { list as groups } from './command-groups.tsx'

/** Command filters and command groups. */
export default function CommandRules() {
  const screen = useScreen()
  const [params] = useSearchParams()
  const only = params.get('command_filters') ?? ''
  return (
    <TabbedListPage
      fallback={screen.name === 'CommandGroupList' ? 'CommandGroup' : 'CommandFilterACL'}
      tabs={[
        {
          key: 'CommandFilterACL',
          title: 'commandFilters',
          permission: 'acls.view_commandfilteracl',
          render: () => <ListView spec={filters} />,
        },
        {
          key: 'CommandGroup',
          title: 'commandGroups',
          permission: 'acls.view_commandgroup',
          render: () => <ListView spec={{ ...groups, data: { ...groups.data, query: { command_filters: only } } }} />,
        },
      ]}
    />
  )
}
