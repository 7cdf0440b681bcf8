import { detail, form, list } from '../../kit/resource.ts'
import { type Screen, screen } from '../../kit/screen.ts'

const jobForm = form(async () => (await import('./jobs.tsx')).form)
const adhocForm = form(async () => (await import('./adhocs.tsx')).form)
const playbookForm = form(async () => (await import('./playbooks.tsx')).form)
const tools = () => import('./tools.tsx')
const celeryLog = async () => ({ default: (await import('./task-log.tsx')).CeleryTaskLog })

export const screens: readonly Screen[] = [
  screen('QuickJob', 'quickJob', () => import('./quick-job.tsx')),
  screen('JobList', 'jobs', async () => ({ default: (await import('./jobs.tsx')).JobList })),
  screen('JobCreate', 'jobCreate', jobForm),
  screen('JobUpdate', 'jobUpdate', jobForm),
  screen(
    'JobDetail',
    'jobDetail',
    detail(async () => (await import('./jobs.tsx')).detail),
  ),
  screen(
    'Execution',
    'jobExecutions',
    list(async () => (await import('./executions.tsx')).list),
  ),
  screen(
    'ExecutionDetail',
    'jobExecutionDetail',
    detail(async () => (await import('./executions.tsx')).detail),
  ),
  screen('Template', 'templates', () => import('./templates.tsx')),
  screen('PlaybookCreate', 'playbookCreate', playbookForm),
  screen('PlaybookUpdate', 'playbookUpdate', playbookForm),
  screen(
    'PlaybookDetail',
    'playbookDetail',
    detail(async () => (await import('./playbooks.tsx')).detail),
  ),
  screen('AdhocCreate', 'templateCreate', adhocForm),
  screen('AdhocUpdate', 'templateUpdate', adhocForm),
  screen(
    'AdhocDetail',
    'templateDetail',
    detail(async () => (await import('./adhocs.tsx')).detail),
  ),
  screen('SystemTools', 'systemTools', tools),
  screen('Tools', 'settingsTools', tools),
  screen('CeleryTaskLog', 'taskLog', celeryLog),
  screen('AnsibleTaskLog', 'taskLog', async () => ({ default: (await import('./task-log.tsx')).AnsibleTaskLog })),
  screen('TaskLog', 'taskLog', celeryLog),
]
