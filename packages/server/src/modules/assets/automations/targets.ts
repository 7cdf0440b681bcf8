import type { AutomationItem } from '@castellan/contract/automation-methods'
import { type Given, type Message, say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import { batches } from '../../../db/batches.ts'
import type { NewItem, Progress } from '../../../kernel/jobs/item-rows.ts'
import type { JobItem, JobRun } from '../../../kernel/jobs/kinds.ts'
import { ItemSkipped, JobFailure } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll, findById } from '../../../kernel/resource/repository.ts'
import type { ListQuery } from '../../../kernel/resource/resource.ts'
import { asset } from '../asset.ts'
import type { AssetRow } from '../asset-fields.ts'
import { inNode } from '../asset-filters.ts'
import { failureOf } from '../connectivity/reach.ts'
import type { StartedBy } from '../connectivity/started-by.ts'
import { type Platform, platformsById } from '../platforms/platform.ts'
import { platformMethod } from './methods.ts'

/** The assets a run is about: some by id, and everything below some nodes. */
export interface Targets {
  assets?: readonly string[] | undefined
  nodes?: readonly { id: string; key: string }[] | undefined
}

export interface TargetAsset {
  id: string
  name: string
  address: string
  is_active: boolean
}

/** How logs and reports name an asset. */
export const assetTitle = ({ name, address }: Pick<TargetAsset, 'name' | 'address'>) => `${name} (${address})`

/** The assets that targets name in the organization of the context, each once, in the order of their names. */
export async function targetAssets(ctx: Context, { assets = [], nodes = [] }: Targets): Promise<TargetAsset[]> {
  const found = new Map<string, TargetAsset>()
  const take = async (narrow: (query: ListQuery) => ListQuery) => {
    const columns = ['t.id', 't.name', 't.address', 't.is_active']
    for (const row of await findAll(ctx, asset, (query) => narrow(query).clearSelect().select(columns)))
      found.set(row.id, { id: row.id, name: row.name, address: row.address, is_active: row.is_active })
  }
  for (const some of batches(assets)) await take((query) => query.where('t.id', 'in', some))
  for (const node of nodes) await take((query) => inNode(ctx, query, node, false))
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** What the items of asset runs know beside their target. */
export interface AssetPayload {
  asset: string
}

/** One item for each asset. */
export const assetItems = (assets: readonly TargetAsset[]): NewItem[] =>
  assets.map((row) => ({
    target: { type: asset.key, id: row.id, label: assetTitle(row) },
    payload: { asset: row.id } satisfies AssetPayload,
  }))

/** The target could not be worked on. `line`: what the log says instead of the target with the message. */
export class TargetFailure extends JobFailure {
  readonly line: string | undefined

  constructor(code: string, message: string, line?: string) {
    super(code, message)
    this.line = line
  }
}

/** Ends an item as skipped, with a reason in the language of the run. */
export function skip<const M extends Message>(ctx: Context, code: string, reason: M, ...values: Given<M>): never {
  throw new ItemSkipped(code, say(reason, ctx.language, ...values))
}

/** Skips a target whose platform does not allow a kind of automation. @returns the id of the platform's method */
export function demandMethod(ctx: Context, platform: Platform | undefined, item: AutomationItem): string | undefined {
  const { isEnabled, method } = platformMethod(platform?.automation, item)
  if (!isEnabled) skip(ctx, 'platform_disabled', taskLogs.reason_platform_disabled)
  return method
}

/** One item of a run, with its asset as it is now. */
export interface TargetItem<P extends AssetPayload = AssetPayload, C = unknown> {
  item: JobItem<P, C>
  asset: AssetRow
  platform: Platform | undefined
}

export interface TargetWork {
  /** Targets that are worked on at the same time. */
  concurrency: number
  /** Milliseconds one may take. */
  timeout: number
}

/**
 * Works on the items of a run, several at a time but never two of one asset, in this run or another one. Assets that
 * are gone or disabled are skipped. Every item ends with its outcome, and with a line in the log.
 */
export function eachTarget<P extends AssetPayload, C = unknown>(
  { ctx, demandPermission }: StartedBy,
  job: JobRun,
  { concurrency, timeout }: TargetWork,
  work: (target: TargetItem<P, C>) => Promise<void>,
): Promise<Progress> {
  const keys = ({ payload }: { payload: P }) => [`asset:${payload.asset}` as const]
  return job.eachItem<P, C>({ concurrency, timeout, keys }, async (item) => {
    const target = item.target.label
    try {
      await demandPermission()
      const row = await findById(ctx, asset, item.payload.asset)
      if (!row) return skip(ctx, 'asset_gone', taskLogs.reason_asset_gone)
      if (!row.is_active) return skip(ctx, 'asset_disabled', taskLogs.reason_asset_disabled)
      await work({ item, asset: row as AssetRow, platform: (await platformsById(ctx)).get(row.platform_id) })
    } catch (error) {
      // An error after the run was aborted says nothing about the target.
      item.signal.throwIfAborted()
      if (error instanceof ItemSkipped) {
        await job.log(say(taskLogs.skipped, ctx.language, { target, reason: error.message }))
        throw error
      }
      const { code, message } = failureOf(ctx, error)
      const line = error instanceof TargetFailure ? error.line : undefined
      await job.log(line ?? say(taskLogs.failed, ctx.language, { target, reason: message }))
      throw new JobFailure(code, message, { cause: error })
    }
  })
}
