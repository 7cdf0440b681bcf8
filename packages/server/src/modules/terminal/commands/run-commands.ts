import { addToDailyCounts } from '../../../kernel/lists/daily-counts.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { insertRows } from '../../../kernel/resource/repository.ts'
import { shorten } from '../shorten.ts'
import { command } from './command.ts'

/** A command that a job ran on an asset, or was not allowed to run. */
export interface RunCommand {
  user: string
  asset: string
  account: string
  input: string
  output: string
  /** The execution, in place of a session. */
  execution: string
  /** `riskLevels` of the contract. */
  riskLevel: number
}

/** Adds commands of jobs to the command log of the organization. */
export async function recordRunCommands(ctx: Context, commands: readonly RunCommand[]): Promise<void> {
  const timestamp = Math.floor(ctx.now / 1000)
  const rows = commands.map((one) => ({
    user: shorten(one.user, 64),
    asset: shorten(one.asset, 128),
    account: shorten(one.account, 64),
    input: shorten(one.input, 128),
    output: shorten(one.output, 1024),
    session: one.execution,
    risk_level: one.riskLevel as 0,
    timestamp,
  }))
  await ctx.transaction(async (inside) => {
    const stored = await insertRows(inside, command, rows)
    await addToDailyCounts(inside, command, stored)
  })
}
