import type { NewItem } from '../../../kernel/jobs/item-rows.ts'
import { type JobCommand, tellOfJobCommands } from '../../terminal/index.ts'
import type { ExecutionRun } from './execution-run.ts'
import type { HostPayload } from './host-payload.ts'

const outcomes: Readonly<Record<string, JobCommand['outcome']>> = {
  reject: 'rejected',
  review: 'review',
  warning: 'warned',
}

/**
 * Tells those who are to know what command filters decided about hosts: once for each rule of an execution, however many
 * hosts. Those of a repetition are decided one by one; the first one tells.
 */
export async function tellOfVerdicts(
  { ctx, execution, told }: Pick<ExecutionRun, 'ctx' | 'execution' | 'told'>,
  items: readonly NewItem[],
): Promise<void> {
  const news = new Map<string, JobCommand & { assets: string[] }>()
  for (const { payload, target } of items as readonly { payload: HostPayload; target: NewItem['target'] }[]) {
    const { verdict } = payload
    const outcome = verdict && outcomes[verdict.action]
    if (!verdict || !outcome) continue
    const key = `${verdict.rule} ${outcome}`
    if (told.has(key)) continue
    const one = news.get(key) ?? {
      ...{
        user: `${ctx.me.name}(${ctx.me.username})`,
        command: payload.shown ?? execution.material,
        outcome,
        assets: [],
      },
      rule: { id: verdict.rule, name: verdict.ruleName },
    }
    one.assets.push(target.label)
    news.set(key, one)
  }
  for (const key of news.keys()) told.add(key)
  await tellOfJobCommands(ctx, [...news.values()])
}
