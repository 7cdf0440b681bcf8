import { accountAutomationTypes } from '@castellan/contract/choices/accounts'
import { say } from '@castellan/contract/messages'
import { gatherMessages } from '@castellan/contract/messages/gather'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import { pathOf } from '@castellan/contract/routes'
import { boolean } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import {
  type AssetPayload,
  type AssetRow,
  type AutomationRun,
  type AutomationTarget,
  accountPort,
  defineAutomation,
  skip,
  sshPortOf,
  usableForSsh,
  viaOf,
  withSsh,
} from '../../assets/index.ts'
import { rememberVerdict } from '../login.ts'
import { addGathered, gatheredAccount } from './gathered-account.ts'
import { type Gathered, gatherListed, isListing, listingMethods } from './listed.ts'
import { gatherPosix } from './posix.ts'
import { type Difference, storeFound } from './store.ts'

/** Assets that a report names. */
const mostAssets = 50

async function gatherBySsh(ctx: Context, asset: AssetRow, _method: string, signal: AbortSignal): Promise<Gathered> {
  const port = await sshPortOf(ctx, asset.id)
  const login = { prefersRoot: true }
  const account = port === undefined ? undefined : await accountPort.use.login(ctx, asset.id, usableForSsh, login)
  if (port === undefined || !account) return skip(ctx, 'no_ssh_account', taskLogs.reason_no_ssh_account)
  return withSsh(ctx, asset, port, account, signal, async (client, via) => ({
    ...(await gatherPosix(ctx, client, signal)),
    via,
    account: account.id,
  }))
}

/** Reads the accounts of one asset and stores them, with how they differ from those before. */
async function gather(
  run: AutomationRun,
  { asset, item, method }: AutomationTarget<AssetPayload, Difference>,
): Promise<void> {
  // Another attempt stored what was found, and would find nothing new.
  if (item.reached) return
  const { ctx, job } = run
  const target = item.target.label
  const read = isListing(method) ? gatherListed : gatherBySsh
  const { accounts, ignored, via, account } = await read(ctx, asset, method, item.signal)
  item.signal.throwIfAborted()
  const { difference, synced } = await ctx.transaction(async (inside) => {
    await rememberVerdict(inside, account, true)
    const differs = await storeFound(inside, asset.id, accounts)
    const rows = run.snapshot.is_sync_account ? await presentOn(inside, asset.id) : []
    const count = await addGathered(inside, rows)
    await item.checkpoint(differs, inside)
    return { difference: differs, synced: count }
  })
  const { language } = ctx
  const [added, removed] = [difference.added.count, difference.removed.count]
  const line = { target, count: accounts.length, added, removed, via: viaOf(ctx, via) }
  await job.log(say(gatherMessages.found, language, line))
  if (ignored > 0) await job.log(say(gatherMessages.ignored, language, { target, count: ignored }))
  if (synced > 0) await job.log(say(gatherMessages.synced, language, { target, count: synced }))
}

const presentOn = (ctx: Context, assetId: string) =>
  findAll(ctx, gatheredAccount, (query) => query.where('t.asset_id', '=', assetId).where('t.present', '=', true))

/** The accounts of assets, found on the assets themselves. */
export const gatherAccounts = defineAutomation<AssetPayload, Difference>({
  type: 'gather_accounts',
  types: accountAutomationTypes,
  app: 'accounts',
  name: 'gatheraccountsautomation',
  path: 'gather-account-automations',
  executions: { name: 'gatheraccountsexecution', path: 'gather-account-executions' },
  targets: 'gather-account',
  page: pathOf('AccountGatherExecutionDetail'),
  fields: { is_sync_account: boolean({ default: false }) },
  hasRecipients: true,
  snapshot: ({ is_sync_account }) => ({ is_sync_account }),

  task: 'accounts.tasks.gather_accounts.gather_asset_accounts_task',
  method: 'gather_accounts',
  methods: ['gather_accounts_posix', ...listingMethods],
  // It only reads from the target.
  itemDelivery: 'idempotent',
  concurrency: 20,
  timeout: 90_000,
  work: gather,
  async report({ ctx, snapshot }, results) {
    const { language } = ctx
    const lines: string[] = []
    let count = 0
    const named = ({ count: all, names }: Difference['added']) => {
      const list = names.join(', ')
      const more = all - names.length
      return more > 0 ? say(gatherMessages.names_more, language, { names: list, count: more }) : list
    }
    for await (const { label, reached } of results()) {
      if (!reached?.isKnown || reached.added.count + reached.removed.count === 0) continue
      if (++count > mostAssets) continue
      const { added, removed } = reached
      if (added.count > 0) lines.push(say(gatherMessages.report_added, language, { asset: label, names: named(added) }))
      if (removed.count > 0)
        lines.push(say(gatherMessages.report_removed, language, { asset: label, names: named(removed) }))
    }
    if (count === 0) return undefined
    if (count > mostAssets) lines.push(say(gatherMessages.report_more, language, { count: count - mostAssets }))
    return {
      subject: gatherMessages.report_subject,
      body: gatherMessages.report_body,
      values: { plan: snapshot.name, count, changes: lines.join('\n') },
    }
  },
})
