import { cloudErrors } from '@castellan/contract/messages/cloud'
import { errors } from '@castellan/contract/messages/errors'
import { normalUuid } from '../../kernel/fields/index.ts'
import { created, defineRoute, noContent, type Route } from '../../kernel/http/route.ts'
import { invalid, quoted, text as say } from '../../kernel/module/errors.ts'
import { destroy } from '../../kernel/resource/mutations.ts'
import { findAll, findById, updateRow } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { actionRoutes, listReply } from '../../kernel/resource/resource-routes.ts'
import { account, asking } from './account.ts'
import { syncExecution } from './execution.ts'
import { instance, instanceStatus } from './instance.ts'
import { startSync, stopSync } from './sync/job.ts'
import { oneLine } from './sync/machine.ts'
import { syncTask } from './task.ts'

/** Regions of one answer; the list is a select of the form. */
const mostRegions = 2000
/** Assets of released machines that one request deletes. */
const deletedAtOnce = 500

const { preview: _result, ...historyFields } = syncExecution.fields

const regions = defineRoute({
  method: 'GET',
  path: '/api/v1/xpack/cloud/regions/',
  requires: 'xpack.add_syncinstancetask | xpack.change_syncinstancetask | xpack.view_account',
  summary: 'The regions of a cloud account: `account_id`',
  async handle({ ctx, request }) {
    const sent = request.query.account_id ?? ''
    if (sent === '') throw invalid({ account_id: [say(cloudErrors.account_of_region)] })
    const id = normalUuid(sent)
    if (!id) throw invalid({ account_id: [say(errors.not_a_uuid, { input: quoted(sent) })] })
    const row = await findById(ctx, account, id)
    if (!row) throw invalid({ account_id: [say(errors.does_not_exist, { pk: id })] })
    const found = await asking(ctx, row, (connection, call) => connection.regions(call))
    const list = found.slice(0, mostRegions).map((one) => ({ id: oneLine(one.id, 128), name: oneLine(one.name, 128) }))
    return { regions: list, count: list.length, next: null }
  },
})

/** Calls on accounts and tasks that their declarations must not import. */
export const cloudRoutes: readonly Route[] = [
  regions,
  ...actionRoutes(account, [
    {
      path: 'test-connective',
      methods: ['GET'],
      detail: true,
      requires: 'xpack.test_account',
      summary: 'Test the credentials of a cloud account',
      async handle({ ctx, row }) {
        const store = (validity: boolean) =>
          ctx.transaction((inside) => updateRow(inside, account, row.id, { validity }))
        try {
          await asking(ctx, row, (connection, call) => connection.test(call))
        } catch (error) {
          await store(false)
          throw error
        }
        await store(true)
        return { msg: 'ok' }
      },
    },
  ]),
  ...actionRoutes(syncTask, [
    {
      // The v3 clients start it by GET.
      path: 'run',
      methods: ['GET'],
      detail: true,
      requires: 'xpack.add_syncinstancetaskexecution',
      summary: 'Synchronize now',
      handle: ({ ctx, row }) => ctx.transaction(async (inside) => ({ task: await startSync(inside, row) })),
    },
    {
      path: 'preview',
      methods: ['POST'],
      detail: true,
      requires: 'xpack.add_syncinstancetaskexecution',
      summary: 'Find out what a synchronization would do; its result is read at the executions',
      statuses: [201],
      handle: async ({ ctx, row }) => created({ task: await startSync(ctx, row, true) }),
    },
    {
      path: 'stop',
      methods: ['POST'],
      detail: true,
      requires: 'xpack.add_syncinstancetaskexecution',
      summary: 'Stop what a task is doing',
      async handle({ ctx, row }) {
        await stopSync(ctx, row.id)
        return noContent()
      },
      statuses: [204],
      withoutBody: true,
    },
    {
      path: 'history',
      methods: ['GET'],
      detail: true,
      requires: 'xpack.view_syncinstancetaskexecution',
      summary: 'What the synchronizations of a task have done',
      fields: { GET: historyFields },
      listed: true,
      handle: ({ ctx, request, row }) =>
        listReply(ctx, findResource(syncExecution.key), request, (query) =>
          query.where('t.task_id', '=', row.id).where('t.is_preview', '=', false),
        ),
    },
    {
      path: 'instances',
      methods: ['GET'],
      detail: true,
      requires: 'xpack.view_syncinstancedetail',
      summary: 'The machines that a task has seen',
      fields: { GET: instance.fields },
      listed: true,
      handle: ({ ctx, request, row }) =>
        listReply(ctx, findResource(instance.key), request, (query) => query.where('t.task_id', '=', row.id)),
    },
    {
      path: 'released-assets',
      methods: ['DELETE'],
      detail: true,
      requires: ['xpack.change_syncinstancetask', 'assets.delete_asset'],
      summary: 'Delete the assets of released machines; 500 at a time, their number is in `left`',
      async handle({ ctx, row }) {
        const released = await findAll(ctx, instance, (query) =>
          query
            .where('t.task_id', '=', row.id)
            .where('t.status', '=', instanceStatus.released)
            .where('t.asset_id', 'is not', null)
            .limit(deletedAtOnce + 1),
        )
        const ids = released.slice(0, deletedAtOnce).flatMap(({ asset_id }) => asset_id ?? [])
        const hosts = findResource('assets/hosts')
        const seen = await findAll(ctx, instance, (query) =>
          query.where('t.asset_id', 'in', ids).where('t.status', '!=', instanceStatus.released),
        )
        const used = new Set(seen.map(({ asset_id }) => asset_id))
        const free = ids.filter((id) => !used.has(id))
        const assets = await findAll(ctx, hosts, (query) => query.where('t.id', 'in', free))
        await destroy(ctx, hosts, assets)
        return { deleted: assets.length, left: released.length - assets.length }
      },
    },
  ]),
]
