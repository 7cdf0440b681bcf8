import { detail, form, list } from '../../kit/resource.ts'
import { type Screen, screen } from '../../kit/screen.ts'

const accounts = () => import('./accounts.tsx')
const strategies = () => import('./strategies.tsx')
const tasks = () => import('./tasks.tsx')
const accountForm = form(async () => (await accounts()).form)
const strategyForm = form(async () => (await strategies()).form)
const taskForm = form(async () => (await tasks()).form)

export const screens: readonly Screen[] = [
  screen('CloudCenter', 'cloudCenter', () => import('./center.tsx')),
  screen(
    'AccountList',
    'cloudAccounts',
    list(async () => (await accounts()).list),
  ),
  screen('AccountCreate', 'cloudAccountCreate', accountForm),
  screen('AccountUpdate', 'cloudAccountUpdate', accountForm),
  screen(
    'AccountDetail',
    'cloudAccountDetail',
    detail(async () => (await accounts()).detail),
  ),
  screen(
    'SyncInstanceTaskList',
    'syncTasks',
    list(async () => (await tasks()).list),
  ),
  screen('SyncInstanceTaskCreate', 'syncTaskCreate', taskForm),
  screen('SyncInstanceTaskUpdate', 'syncTaskUpdate', taskForm),
  screen(
    'SyncInstanceTaskDetail',
    'syncTaskDetail',
    detail(async () => (await import('./task-detail.tsx')).detail),
  ),
  screen(
    'CloudStrategyList',
    'cloudStrategies',
    list(async () => (await strategies()).list),
  ),
  screen('CloudStrategyCreate', 'cloudStrategyCreate', strategyForm),
  screen('CloudStrategyUpdate', 'cloudStrategyUpdate', strategyForm),
  screen(
    'CloudStrategyDetail',
    'cloudStrategyDetail',
    detail(async () => (await strategies()).detail),
  ),
]
