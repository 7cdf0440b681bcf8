import { detail, form } from '../../kit/resource.ts'
import { type Screen, screen } from '../../kit/screen.ts'
import type { AutomationScreens } from './automation/screens.ts'

/** The pages of an automation, without its list. */
const pagesOf = (screens: () => Promise<AutomationScreens>) => ({
  page: async () => (await import('./automation/page.tsx')).automationPage(await screens()),
  form: form(async () => (await import('./automation/plans.tsx')).planForm(await screens())),
  detail: detail(async () => (await import('./automation/plans.tsx')).planDetail(await screens())),
  execution: detail(async () => (await import('./automation/execution-detail.tsx')).executionDetail(await screens())),
})
const gatherPage = () => import('./gather.tsx')
const gather = pagesOf(async () => (await import('./gather-screens.ts')).gatherScreens)
const changeSecret = pagesOf(async () => (await import('./secret-automations.ts')).changeSecretScreens)
const push = pagesOf(async () => (await import('./secret-automations.ts')).pushScreens)

const templateForms = () => import('./template-form.tsx')
const virtualAccounts = () => import('./virtual-accounts.tsx')

const backup = () => import('./backup.tsx')
const backupExecution = () => import('./backup-execution.tsx')
const backupForm = form(async () => (await backup()).form)

export const screens: readonly Screen[] = [
  screen('AssetAccountList', 'accounts', () => import('./accounts.tsx')),
  screen(
    'AssetAccountDetail',
    'accountDetail',
    detail(async () => (await import('./account-detail.tsx')).detail),
  ),
  screen(
    'VirtualAccountUpdate',
    'virtualAccountUpdate',
    form(async () => (await virtualAccounts()).form),
  ),
  screen(
    'VirtualAccountDetail',
    'virtualAccountDetail',
    detail(async () => (await virtualAccounts()).detail),
  ),
  screen('AccountTemplateList', 'accountTemplates', () => import('./template-list.tsx')),
  screen(
    'AccountTemplateCreate',
    'accountTemplateCreate',
    form(async () => (await templateForms()).form),
  ),
  screen(
    'AccountTemplateUpdate',
    'accountTemplateUpdate',
    form(async () => (await templateForms()).update),
  ),
  screen(
    'AccountTemplateDetail',
    'accountTemplateDetail',
    detail(async () => (await import('./template-detail.tsx')).detail),
  ),
  screen('AccountPushList', 'push', push.page),
  screen('AccountPushCreate', 'pushPlanCreate', push.form),
  screen('AccountPushUpdate', 'pushPlanUpdate', push.form),
  screen('AccountPushDetail', 'pushPlanDetail', push.detail),
  screen('AccountPushExecutionList', 'push', push.page),
  screen('AccountPushExecutionDetail', 'executionDetail', push.execution),
  screen('AccountGatherList', 'gather', gatherPage),
  screen('AccountGatherTaskCreate', 'gatherPlanCreate', gather.form),
  screen('AccountGatherTaskUpdate', 'gatherPlanUpdate', gather.form),
  screen('AccountGatherTaskDetail', 'gatherPlanDetail', gather.detail),
  screen('AccountGatherTaskExecutionList', 'gather', gatherPage),
  screen('AccountGatherExecutionDetail', 'executionDetail', gather.execution),
  screen('AccountChangeSecretList', 'changeSecret', changeSecret.page),
  screen('AccountChangeSecretCreate', 'changeSecretPlanCreate', changeSecret.form),
  screen('AccountChangeSecretUpdate', 'changeSecretPlanUpdate', changeSecret.form),
  screen('AccountChangeSecretDetail', 'changeSecretPlanDetail', changeSecret.detail),
  screen('AccountChangeSecretExecutionList', 'changeSecret', changeSecret.page),
  screen('AccountChangeSecretExecutionDetail', 'executionDetail', changeSecret.execution),
  screen('AccountBackupList', 'backups', backup),
  screen('AccountBackupPlanCreate', 'backupPlanCreate', backupForm),
  screen('AccountBackupPlanUpdate', 'backupPlanUpdate', backupForm),
  screen('AccountBackupPlanExecutionList', 'backups', backup),
  screen(
    'AccountBackupPlanExecutionDetail',
    'executionDetail',
    detail(async () => (await backupExecution()).backupExecutionDetail),
  ),
  screen(
    'AccountBackupPlanDetail',
    'backupPlanDetail',
    detail(async () => (await backup()).detail),
  ),
]
