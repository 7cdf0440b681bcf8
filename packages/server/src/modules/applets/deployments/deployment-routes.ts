import { randomUUID } from 'node:crypto'
import { systemOrgId } from '@castellan/contract/ids'
import { appletLogs } from '@castellan/contract/messages/applet-logs'
import { errors } from '@castellan/contract/messages/errors'
import { type Field, json, keyOf, normalUuid, uuid, uuidsOf } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { created, defineRoute, type Handling } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, invalid, notFound, text } from '../../../kernel/module/errors.ts'
import { nameOf } from '../../../kernel/module/texts.ts'
import { findAll, findById, insertRows } from '../../../kernel/resource/repository.ts'
import { applet } from '../applet.ts'
import { appletHost } from '../hosts/host.ts'
import { type DeployTask, deployHosts } from './deploy-job.ts'
import { deployment } from './deployment.ts'

/** Most hosts of one task. */
const mostHosts = 200

/** Queues work on hosts. The deployment of a single host has the id of its task. */
async function start(ctx: Context, task: DeployTask): Promise<string> {
  const id = randomUUID()
  await insertRows(
    ctx,
    deployment,
    task.hosts.map((host_id) => ({ ...(task.hosts.length === 1 ? { id } : {}), host_id, task: id })),
  )
  return ctx.enqueue(deployHosts, task, { id, orgId: systemOrgId })
}

async function deployHost({ ctx, request }: Handling): Promise<unknown> {
  const sent = keyOf(objectOf(request.body).host)
  if (sent === undefined || sent === null || sent === '') throw invalid({ host: [text(errors.required)] })
  const id = normalUuid(sent)
  const host = id && (await findById(ctx, appletHost, id))
  if (!host) throw invalid({ host: [text(errors.does_not_exist, { pk: String(sent).slice(0, 64) })] })
  return created({ task: await start(ctx, { hosts: [String(host.id)], kind: 'host' }) })
}

async function deployApplets({ ctx, request }: Handling): Promise<unknown> {
  const body = objectOf(request.body)
  const ids = uuidsOf(body.hosts)
  if (ids.length > mostHosts) throw failureAs(400, 'error', text(appletLogs.too_many_hosts, { max: mostHosts }))
  const hosts = ids.length > 0 ? await findAll(ctx, appletHost, (query) => query.where('t.id', 'in', ids)) : []
  if (hosts.length === 0) throw notFound(nameOf(appletHost))
  const sent = keyOf(body.applet_id)
  const isOne = sent !== undefined && sent !== null && sent !== ''
  const only = isOne ? await findById(ctx, applet, normalUuid(sent) ?? '') : undefined
  if (isOne && !only) throw notFound(nameOf(applet))
  const task: DeployTask = { hosts: hosts.map(({ id }) => String(id)), kind: 'applets' }
  return created({ task: await start(ctx, only ? { ...task, applet: only.id } : task) })
}

const hostField = { ...uuid({ required: true }), type: 'field' } as Field
const shared = {
  method: 'POST',
  requires: 'terminal.add_applethostdeployment',
  statuses: [201],
  organization: systemOrgId,
} as const

export const deploymentRoutes = [
  defineRoute({
    ...shared,
    path: deployment.url,
    summary: 'Set up an application host',
    fields: { POST: { host: hostField } },
    handle: deployHost,
  }),
  defineRoute({
    ...shared,
    path: `${deployment.url}applets/`,
    summary: 'Install applications on hosts',
    fields: {
      POST: {
        hosts: { ...json({ required: true, shape: 'array' }), type: 'field' } as Field,
        applet_id: uuid() as Field,
      },
    },
    describes: deployment.url,
    handle: deployApplets,
  }),
]
