import type { GroupCommit } from '../../../kernel/jobs/group-commit.ts'
import type { GroupRead } from '../../../kernel/jobs/group-read.ts'
import type { JobRun } from '../../../kernel/jobs/kinds.ts'
import type { ItemSkipped } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import type { RunCommand } from '../../terminal/index.ts'
import type { ExecutionRow, JobSnapshot } from '../job-execution.ts'
import type { HostPayload } from './host-payload.ts'
import type { Values } from './operation.ts'
import type { OutputStore } from './output-store.ts'
import type { Prepared } from './prepared.ts'
import type { SignInGate } from './sign-in-gate.ts'

/** One execution while it runs. */
export interface ExecutionRun {
  readonly ctx: Context
  readonly execution: ExecutionRow
  readonly snapshot: JobSnapshot
  /** Values of parameters, secret ones too. */
  readonly own: Readonly<Record<string, string>>
  /** The same, and as they may be shown. */
  readonly values: Values
  /** The address of the client who started it; undefined for a schedule. */
  readonly from: string | undefined
  /** What belongs to a review beside the operation: a digest of the files of a playbook, or a transfer. */
  readonly files: string
  readonly output: OutputStore
  /** What commands pass when they sign in to their hosts. */
  readonly gate: SignInGate
  /** How the reviews of its commands ended, by ticket. */
  readonly reviews: ReadonlyMap<string, { state: string; serial: string; by: string }>
  /** The command log: the lines of many hosts are stored together. */
  readonly commands: GroupCommit<RunCommand, Context>
  /** What runs on hosts, read for those that begin together. */
  readonly hosts: GroupRead<HostPayload, Prepared | ItemSkipped>
  /** What was told of the decisions of command filters: rules and outcomes. */
  readonly told: Set<string>
  /** What the log says that runs. */
  readonly operations: Set<string>
  /** Further accounts that plays became, by asset. */
  readonly became: Map<string, Set<string>>
  readonly job: JobRun
}
