import { assetTaskActions } from '@castellan/contract/choices/assets'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { errors } from '@castellan/contract/messages/errors'
import {
  bare,
  computed,
  type Field,
  json,
  numberIn,
  rawChoice,
  type StoredRow,
  textIn,
  uuidsOf,
} from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { formatTimestamp } from '../../../kernel/fields/timestamps.ts'
import { type Action, created } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, invalid, permissionDenied, text as say } from '../../../kernel/module/errors.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import type { Row } from '../../../kernel/resource/resource.ts'
import { actionRoutes } from '../../../kernel/resource/resource-routes.ts'
import { asset, gateway } from '../asset.ts'
import type { AssetRow } from '../asset-fields.ts'
import type { Targets } from '../automations/targets.ts'
import { domain } from '../domain.ts'
import { node } from '../nodes/node.ts'
import { platformsById } from '../platforms/platform.ts'
import { checkAmounts, refreshAssets, testAssets } from './asset-jobs.ts'
import { testDomainGateways, testGateway } from './gateway-jobs.ts'
import { fastestGateway, gatewaysOfDomain } from './gateways.ts'
import { sshPortOf, type Target } from './reach.ts'

const actions = ['refresh', 'test'] as const
/** Older names that clients still send; they mean a test. */
const legacy = ['refresh_cache', 'push_system_user', 'test_system_user']

function actionOf(ctx: Context, body: StoredRow): (typeof actions)[number] {
  const action = String(bare(body.action) ?? '')
  if (action === '') throw invalid({ action: [say(errors.required)] })
  if (legacy.includes(action)) {
    if (!ctx.me.isSuperuser) throw permissionDenied()
    return 'test'
  }
  if (action !== 'refresh' && action !== 'test')
    throw invalid({ action: [say(errors.not_a_choice, { input: action })] })
  const code = action === 'refresh' ? 'assets.refresh_assethardwareinfo' : 'assets.test_assetconnectivity'
  if (!ctx.can(code)) throw permissionDenied()
  return action
}

async function demandPing(ctx: Context, row: Target | undefined): Promise<void> {
  const automation = row && (await platformsById(ctx)).get(row.platform_id)?.automation
  if (row && !(automation?.ansible_enabled && automation.ping_enabled))
    throw badRequest(say(assetsMessages.ping_unsupported))
}

async function start(ctx: Context, body: StoredRow, task: Targets, first: Target | undefined, orgId: string) {
  const action = actionOf(ctx, body)
  if (action === 'test' && !legacy.includes(textIn(body.action))) await demandPing(ctx, first)
  const id = await ctx.enqueue(action === 'refresh' ? refreshAssets : testAssets, task, { orgId })
  return created({ task: id })
}

const either = 'assets.refresh_assethardwareinfo | assets.test_assetconnectivity' as const

const taskFields: Record<string, Field> = {
  task: computed('string', {}),
  action: rawChoice(assetTaskActions, { required: true, writeOnly: true }),
  assets: { ...json({ nullable: true }), type: 'field' },
}

const assetTasks: readonly Action<AssetRow>[] = [
  {
    path: 'tasks',
    methods: ['POST'],
    detail: true,
    requires: either,
    summary: 'Test whether an asset answers, or collect facts about it',
    statuses: [201],
    handle: ({ ctx, request, row }) => start(ctx, objectOf(request.body), { assets: [row.id] }, row, row.org_id),
  },
  {
    path: 'tasks',
    methods: ['POST'],
    requires: either,
    summary: 'Test assets, or collect facts about them',
    statuses: [201],
    fields: { POST: taskFields },
    handle: async ({ ctx, request }) => {
      const body = objectOf(request.body)
      const ids = uuidsOf(body.assets)
      const rows = ids.length > 0 ? await findAll(ctx, asset, (query) => query.where('t.id', 'in', ids)) : []
      if (rows.length === 0) throw invalid({ assets: [say(errors.required)] })
      return start(ctx, body, { assets: rows.map(({ id }) => id) }, rows[0], String(rows[0]?.org_id))
    },
  },
]

const nodeTasks: readonly Action<Row<typeof node>>[] = [
  {
    path: 'tasks',
    methods: ['POST'],
    detail: true,
    requires: either,
    summary: 'Test the assets of a node, or collect facts about them',
    statuses: [201],
    handle: ({ ctx, request, row }) =>
      start(ctx, objectOf(request.body), { nodes: [{ id: row.id, key: row.key }] }, undefined, row.org_id),
  },
  {
    path: 'check_assets_amount_task',
    methods: ['POST'],
    requires: 'assets.change_node',
    summary: 'Count the assets of the organization',
    handle: async ({ ctx }) => ({ task: await ctx.enqueue(checkAmounts, {}) }),
  },
]

const gatewayTasks: readonly Action<AssetRow>[] = [
  {
    path: 'test-connective',
    methods: ['POST'],
    detail: true,
    requires: 'assets.test_assetconnectivity',
    summary: 'Test whether a gateway lets us in and forwards us',
    handle: async ({ ctx, request, row }) => {
      const sent = objectOf(request.body).port
      const port =
        sent === undefined || sent === null || sent === '' ? ((await sshPortOf(ctx, row.id)) ?? 22) : numberIn(sent)
      if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid({ port: [say(errors.not_an_integer)] })
      return { task: await ctx.enqueue(testGateway, { gateway: row.id, port }, { orgId: row.org_id }) }
    },
  },
]

const domainTasks: readonly Action<Row<typeof domain>>[] = [
  {
    path: 'test-gateways',
    methods: ['POST'],
    detail: true,
    requires: 'assets.test_assetconnectivity',
    withoutBody: true,
    summary: 'Test all gateways of a domain, and measure how long a connection through each takes',
    statuses: [201],
    handle: async ({ ctx, row }) =>
      created({ task: await ctx.enqueue(testDomainGateways, { domain: row.id }, { orgId: row.org_id }) }),
  },
  {
    path: 'gateway-times',
    methods: ['GET'],
    detail: true,
    requires: 'assets.view_gateway',
    summary: 'How long connections through the gateways of a domain took in their last tests',
    handle: async ({ ctx, row }) => {
      const place = { id: row.id, org_id: String(row.org_id) }
      const used = await fastestGateway(ctx, place)
      return (await gatewaysOfDomain(ctx, place)).map(({ id, name, address, is_active, time }) => ({
        id,
        name,
        address,
        is_active,
        milliseconds: time?.milliseconds ?? null,
        reason: time?.reason?.[ctx.language] ?? '',
        date_tested: time ? formatTimestamp(time.date_tested, ctx.zone) : null,
        is_used: id === used?.id,
      }))
    },
  },
]

/** Work with assets that takes a while: each call answers the id of a job whose log can be followed. */
export const taskRoutes = [
  ...actionRoutes(asset, assetTasks),
  ...actionRoutes(node, nodeTasks),
  ...actionRoutes(gateway, gatewayTasks),
  ...actionRoutes(domain, domainTasks),
]
