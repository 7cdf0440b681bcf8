import type { AutomationScreens } from './automation/screens.ts'

/** Collecting the accounts of assets. */
export const gatherScreens: AutomationScreens = {
  url: '/api/v1/accounts/gather-account-automations/',
  resource: 'accounts.gatheraccountsautomation',
  targetsUrl: '/api/v1/accounts/gather-account/',
  executionsUrl: '/api/v1/accounts/gather-account-executions/',
  executionResource: 'accounts.gatheraccountsexecution',
  list: 'AccountGatherList',
  plansTab: 'AccountGatherTaskList',
  executionsTab: 'AccountGatherTaskExecutionList',
  create: 'AccountGatherTaskCreate',
  update: 'AccountGatherTaskUpdate',
  detail: 'AccountGatherTaskDetail',
  execution: 'AccountGatherExecutionDetail',
  noun: 'gatherPlan',
  createLabel: 'gatherPlanCreate',
  empty: 'gatherPlansEmpty',
  columns: ['nodes', 'is_periodic', 'periodic_display', 'executed_amount'],
  planColumn: 'AccountGatherName',
  executionColumns: [],
  facts: ['is_sync_account', 'recipients'],
  formGroups: {
    first: () => [{ key: 'basic', title: 'groupBasic', help: 'planNodesHelp', fields: ['name', 'nodes'] }],
    last: [{ key: 'other', title: 'groupOther', fields: ['is_sync_account', 'is_active', 'recipients', 'comment'] }],
  },
}
