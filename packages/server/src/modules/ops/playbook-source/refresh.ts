import type { Language } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import { defineJob } from '../../../kernel/jobs/kinds.ts'
import { JobRefused } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError, badRequest, text } from '../../../kernel/module/errors.ts'
import { perInstallation } from '../../../kernel/module/per-installation.ts'
import { findById, lockRow } from '../../../kernel/resource/repository.ts'
import type { Row } from '../../../kernel/resource/resource.ts'
import { actionRoutes } from '../../../kernel/resource/resource-routes.ts'
import { serializeOne } from '../../../kernel/resource/serialize.ts'
import { startedBy } from '../../assets/index.ts'
import { playbook } from '../playbook.ts'
import type { PlaybookFile } from '../playbook-file.ts'
import { replaceFiles } from '../playbook-files.ts'
import { accessAction, accessOf, pinHostKey } from './access.ts'
import { refreshName } from './kinds.ts'
import { filesOfRepository } from './repository.ts'
import { repositoryAddress } from './repository-url.ts'

type PlaybookRow = Row<typeof playbook>

export const isFromRepository = (row: { create_method: unknown }): boolean => row.create_method === 'vcs'

/** How long it is remembered when files were asked for; longer than a repository may take. Seconds. */
const remembered = 3600

/** Whether the stored files were asked for later than these. Notes when these were, in the transaction that stores them. */
async function isOutdated(inside: Context, playbookId: string, asked: number): Promise<boolean> {
  await lockRow(inside, playbook.table, playbookId)
  const key = `ops.playbook_read:${playbookId}`
  const latest = await inside.kv.get<number>(key)
  if (latest !== undefined && latest > asked) return true
  await inside.kv.set(key, asked, remembered)
  return false
}

/**
 * Takes the files of a playbook from its repository. They replace those it had, unless these were asked for later, or
 * all of those stay.
 * @throws 400
 */
export async function refreshFiles(ctx: Context, row: PlaybookRow, ending?: AbortSignal): Promise<PlaybookFile[]> {
  const address = repositoryAddress(row.vcs_url ?? '')
  const asked = Date.now()
  const { files, hostKey } = await filesOfRepository(ctx, address, accessOf(ctx, row, address), ending)
  await ctx.transaction(async (inside) => {
    if (!(await isOutdated(inside, row.id, asked))) await replaceFiles(inside, row.id, files)
    if (hostKey) await pinHostKey(inside, row.id, address, hostKey)
  })
  return files
}

/** The text of an error of the API, for logs. */
export function sentenceOf(error: ApiError, language: Language): string {
  const body = error.body(language) as { detail?: unknown; msg?: unknown } | undefined
  return String(body?.detail ?? body?.msg ?? error.message)
}

/** Reads the repository of a new playbook, so that its files are there when somebody looks. */
export const refreshPlaybook = defineJob<{ playbook: string }>({
  name: refreshName,
  delivery: 'idempotent',
  retries: 0,
  timeout: 120_000,
  isPersonal: true,
  async run(outer, { playbook: id }, job) {
    const { ctx } = await startedBy(outer, job, 'ops.add_playbook')
    const row = await findById(ctx, playbook, id)
    if (!row || !isFromRepository(row)) return
    try {
      await refreshFiles(ctx, row, job.signal)
    } catch (error) {
      if (error instanceof ApiError) throw new JobRefused('vcs_failed', sentenceOf(error, ctx.language))
      throw error
    }
  },
})

/** Repositories that are read at the same time because users ask for it, of all and of one: a server may be slow on purpose. */
const mostAtOnce = { all: 4, ofOne: 3 }
const refreshing = perInstallation(() => new Map<object, string>())

/** Does work that users ask for, for a few at the same time. @throws 400 */
async function inTurn<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  const running = refreshing(ctx.services)
  const own = [...running.values()].filter((id) => id === ctx.me.id)
  if (running.size >= mostAtOnce.all || own.length >= mostAtOnce.ofOne)
    throw badRequest(text(opsMessages.vcs_busy), 'vcs_busy')
  const place = {}
  running.set(place, ctx.me.id)
  try {
    return await work()
  } finally {
    running.delete(place)
  }
}

export const refreshRoutes = actionRoutes(playbook, [
  accessAction,
  {
    path: 'refresh',
    methods: ['POST'],
    detail: true,
    requires: 'ops.change_playbook',
    summary: 'Take the files of a playbook from its Git repository again',
    transaction: 'none',
    async handle({ ctx, row }) {
      const own = row as PlaybookRow
      if (!isFromRepository(own)) throw badRequest(text(opsMessages.vcs_none), 'vcs_none')
      await inTurn(ctx, () => refreshFiles(ctx, own))
      return serializeOne(ctx, playbook, own)
    },
  },
])
