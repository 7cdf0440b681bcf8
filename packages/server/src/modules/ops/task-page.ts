import { opsMessages } from '@castellan/contract/messages/ops'
import { normalUuid } from '../../kernel/fields/index.ts'
import { defineRoute, redirect } from '../../kernel/http/route.ts'
import { notFound } from '../../kernel/module/errors.ts'

/** What a task may be run by, as addresses of its log name it. */
const kinds = new Set(['celery', 'ansible', 'task'])

/** Links in messages and older clients name this address; the console has the page. */
export const taskLogPage = defineRoute({
  method: 'GET',
  path: '/core/ops/:kind/task/:id/log/',
  requires: 'valid',
  summary: 'The page that shows the log of a task',
  handle: ({ request }) => {
    const { kind = '', id = '' } = request.params
    const task = normalUuid(id)
    if (!task || !kinds.has(kind)) throw notFound(opsMessages.celerytaskexecution)
    return redirect(`/ui/#/ops/${kind}/task/${task}/log/`)
  },
})

/** The monitor of the task queue in v3: the tasks of the settings are one here. */
export const taskMonitorPage = defineRoute({
  method: 'GET',
  path: '/core/flower/',
  requires: 'ops.view_taskmonitor',
  summary: 'The page that shows the tasks',
  handle: () => redirect('/ui/#/settings/tasks'),
})
