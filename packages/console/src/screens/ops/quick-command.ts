/** The command of a quick job: its values, checking and starting it, and reading it again. */
import { call } from '../../kit/api/client.ts'
import type { Row } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import type { TreeNode } from '../../kit/tree/nodes.ts'

export const jobsUrl = '/api/v1/ops/jobs/'
export const executionsUrl = '/api/v1/ops/job-executions/'

export interface Command {
  args: string
  module: string
  runas: string
  runas_policy: string
  /** Seconds; -1 for none. */
  timeout: number
  chdir: string
}

export const emptyCommand: Command = {
  args: '',
  module: 'shell',
  runas: '',
  runas_policy: 'skip',
  timeout: 60,
  chdir: '',
}

export type Chosen = ReadonlyMap<string, TreeNode>

/** Ids as the server takes them: assets by id, nodes by the id behind their key; pseudo nodes by their key. */
export function targetsOf(chosen: Chosen): { assets: string[]; nodes: string[] } {
  const all = [...chosen.values()]
  const isAsset = (node: TreeNode) => node.meta.type === 'asset'
  return {
    assets: all.filter(isAsset).map(({ id, meta }) => meta.data?.id ?? id),
    nodes: all.filter((node) => !isAsset(node) && node.meta.type === 'node').map(({ id, meta }) => meta.data?.id ?? id),
  }
}

export function targetsProblem(chosen: Chosen): string | undefined {
  const { assets, nodes } = targetsOf(chosen)
  return assets.length + nodes.length === 0 ? t('quickNoTargets') : undefined
}

/** What is still missing before a command can run. */
export function problemOf(command: Command, chosen: Chosen): string | undefined {
  const problem = targetsProblem(chosen)
  if (problem) return problem
  if (command.args.trim() === '') return t('quickNoCommand')
  if (command.runas.trim() === '') return t('quickNoRunas')
  return undefined
}

const bodyOf = ({ chdir, ...command }: Command, chosen: Chosen) => ({
  ...command,
  ...targetsOf(chosen),
  type: 'adhoc',
  is_periodic: false,
  ...(chdir === '' ? {} : { chdir }),
})

/** Runs a command once. Returns the id of the execution. */
export async function runCommand(command: Command, chosen: Chosen): Promise<string> {
  const body = { ...bodyOf(command, chosen), instant: true }
  return (await call<{ task_id: string }>(jobsUrl, { method: 'POST', body })).task_id
}

/** The body of a job with this command, beside what its form asks for. */
export const jobOf = (command: Command, chosen: Chosen) => ({ ...bodyOf(command, chosen), instant: false })

const value = (choice: unknown): string =>
  typeof choice === 'object' && choice !== null ? String((choice as { value: unknown }).value) : String(choice ?? '')

/** The command and the assets of an execution, to show and repeat it. Undefined when its job is gone. */
export async function commandOf(execution: string): Promise<{ command: Command; chosen: Chosen } | undefined> {
  const detail = await call<{ job_id: string | null }>(`/api/v1/ops/job-execution/task-detail/${execution}/`, {
    quiet: true,
  }).catch(() => undefined)
  if (!detail?.job_id) return undefined
  const job = await call<Row>(`${jobsUrl}${detail.job_id}/`, { quiet: true }).catch(() => undefined)
  if (!job) return undefined
  const assets = (job.assets as string[]) ?? []
  return {
    command: {
      args: String(job.args ?? ''),
      module: value(job.module),
      runas: String(job.runas ?? ''),
      runas_policy: value(job.runas_policy),
      timeout: Number(job.timeout ?? -1),
      chdir: String(job.chdir ?? ''),
    },
    chosen: new Map(
      assets.map((id) => [id, { id, name: id, isParent: false, meta: { type: 'asset', data: { id } } }] as const),
    ),
  }
}

/** Usernames on the chosen assets, to complete what was typed. */
export async function usernamesFor(chosen: Chosen, query: string): Promise<string[]> {
  const hints = await call<{ username: string }[]>('/api/v1/ops/username-hints/', {
    method: 'POST',
    body: { ...targetsOf(chosen), query },
    quiet: true,
  })
  return hints.map(({ username }) => username)
}
