import { say } from '@castellan/contract/messages'
import { syncLogs } from '@castellan/contract/messages/cloud'
import { linksOf, type StoredRow } from '../../../kernel/fields/index.ts'
import type { JobRun } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import type { Resource } from '../../../kernel/resource/resource.ts'
import { platformsById, type Unconfirmed } from '../../assets/index.ts'
import type { AccountRow } from '../account.ts'
import type { Connection, Instance, Provider } from '../providers/provider.ts'
import { partsOf, strategy, strategyAction, strategyRule, taskStrategies } from '../strategy.ts'
import { type ActionAttribute, type Rule, type StrategyAction, targetRows } from '../strategy-parts.ts'
import { compileStrategies, type Described, type Outcome } from '../strategy-rules.ts'
import type { TaskRow } from '../task-fields.ts'

/** What all regions of a synchronization share. */
export interface SyncSetup {
  readonly ctx: Context
  readonly job: JobRun
  readonly task: TaskRow
  readonly account: AccountRow
  readonly provider: Provider
  readonly connection: Connection
  readonly outcomeOf: (of: Described) => Outcome
  /** Where assets are created. */
  readonly hosts: Resource
  /** Ids of the platforms that assets have unless a strategy sets another one. */
  readonly defaultPlatforms: Readonly<Record<Instance['platform'], number>>
  /** Set when somebody who may not see secrets last decided about the account or the task. */
  readonly unconfirmed: Unconfirmed | undefined
}

/** The strategies of a task, without what they name that no longer exists; that is logged. */
export async function strategiesOf(ctx: Context, job: JobRun, task: TaskRow): Promise<SyncSetup['outcomeOf']> {
  const links = await linksOf(ctx, { table: taskStrategies, from: 'syncinstancetask_id', to: 'strategy_id' }, [task.id])
  const ids = links.map(({ strategy_id }) => strategy_id)
  const rows = await findAll(ctx, strategy, (query) => query.where('t.id', 'in', ids))
  const rules = await partsOf(ctx, strategyRule as Resource, ids)
  const actions = await partsOf(ctx, strategyAction as Resource, ids)
  const targets = await targetRows(ctx, [...actions.values()].flat() as (StoredRow & StrategyAction)[])
  for (const { attr, value } of [...actions.values()].flat())
    if (!targets.has(`${attr}:${value}`))
      await job.log(say(syncLogs.setting_gone, ctx.language, { what: `${attr as ActionAttribute} ${value}` }))
  return compileStrategies(
    rows.map(({ id, name, priority }) => ({
      name,
      priority,
      rules: (rules.get(id) ?? []) as unknown as Rule[],
      actions: ((actions.get(id) ?? []) as unknown as StrategyAction[]).filter(({ attr, value }) =>
        targets.has(`${attr}:${value}`),
      ),
    })),
  )
}

/** The built-in platforms by what providers call an operating system. */
export async function platformsOf(ctx: Context): Promise<SyncSetup['defaultPlatforms']> {
  const all = [...(await platformsById(ctx)).values()]
  const named = (name: string) => Number(all.find((one) => one.name === name)?.id)
  return { linux: named('Linux'), windows: named('Windows') }
}
