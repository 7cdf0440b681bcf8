import { pathOf } from '@castellan/contract/routes'

/** The tab of the cloud center with a list: where its forms lead back to. */
export const centerTab = (tab: 'SyncInstanceTaskList' | 'StrategyList' | 'AccountList'): string =>
  `${pathOf('CloudCenter')}?activeTab=${tab}`

/** Where the pages of a list's rows are. */
export const belowCreate = (name: 'AccountCreate' | 'SyncInstanceTaskCreate' | 'CloudStrategyCreate'): string =>
  pathOf(name).replace('/create', '')
