import type { NewItem } from '../../../kernel/jobs/item-rows.ts'
import { type JobCommand, tellOfJobCommands } from '../../terminal/index.ts'
import type { HostPayload } from './decide.ts'
import type { ExecutionRun } from './execution-run.ts'

const outcomes: Readonly<Record<string, JobCommand['outcome']>> = {
  reject: 'rejected',
  review: 'review',
  warning: 'warned',
}

/** Tells those who are to know what command filters decided about hosts: once for each rule, however many hosts. */
export async function tellOfVerdicts(
  { ctx, snapshot }: Pick<ExecutionRun, 'ctx' | 'snapshot'>,
  items: readonly NewItem[],
): Promise<void> {
  const told = new Map<string, JobCommand & { assets: string[] }>()
  for (const { payload, target } of items as readonly { payload: HostPayload; target: NewItem['target'] }[]) {
    const { verdict } = payload
    const outcome = verdict && outcomes[verdict.action]
    if (!verdict || !outcome) continue
    const key = `${verdict.rule} ${outcome}`
    const one = told.get(key) ?? {
      ...{ user: `${ctx.me.name}(${ctx.me.username})`, command: snapshot.args, outcome, assets: [] },
      rule: { id: verdict.rule, name: verdict.ruleName },
    }
    one.assets.push(target.label)
    told.set(key, one)
  }
  await tellOfJobCommands(ctx, [...told.values()])
}
