/** Evidence of what a playbook did, written by the worker: the playbook cannot reach it, and its events do not change it. */
import { createHash, randomUUID } from 'node:crypto'
import type { CarriedCommand } from '@castellan/connectors/commands'
import { say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import { GroupCommit } from '../../../kernel/jobs/group-commit.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { bytesOf, type PlaybookFile } from '../playbook-file.ts'
import type { ExecutionRun } from '../run/execution-run.ts'
import { programsOf } from '../run/programs.ts'

/** Characters of one file and of all that are kept, and of a command and its input. */
const longestFile = 65_536
const longestFiles = 2 * 1_048_576
const longestCommand = 16_384
const longestInput = 16_384
/** Bytes of an input that are looked at for what is kept of it. */
const mostInput = 1_048_576
/** Commands of one execution. */
const mostCommands = 200_000
/** Shorter values of secret parameters stand in too many words. */
const shortestSecret = 4
const mask = '******'

/** Modules are sent in archives, as text: what is in them is told by the hash. */
const encodedPart = /[A-Za-z0-9+/=]{1024,}/g

type Change =
  | { readonly begun: Omit<CarriedRow, 'input' | 'input_size' | 'input_sha256' | 'status' | 'date_end'> }
  | { readonly ended: Pick<CarriedRow, 'id' | 'input' | 'input_size' | 'input_sha256' | 'status' | 'date_end'> }

interface CarriedRow {
  readonly id: string
  readonly execution_id: string
  readonly number: number
  readonly asset_id: string
  readonly asset: string
  readonly account: string
  readonly command: string
  readonly input: string
  readonly input_size: number
  readonly input_sha256: string
  readonly status: number | null
  readonly date_end: number
  readonly date_created: number
}

async function store(ctx: Context, changes: readonly Change[]): Promise<void> {
  const begun = changes.flatMap((one) => ('begun' in one ? [one.begun] : []))
  const nothing = { input: '', input_size: 0, input_sha256: '', status: null, date_end: null }
  for (let at = 0; at < begun.length; at += 50)
    await ctx.rawDb
      .insertInto('ops_carriedcommand')
      .values(begun.slice(at, at + 50).map((row) => ({ ...row, ...nothing })))
      .execute()
  for (const one of changes)
    if ('ended' in one) {
      const { id, ...values } = one.ended
      await ctx.rawDb.updateTable('ops_carriedcommand').set(values).where('id', '=', id).execute()
    }
}

/** Where a command is carried to. */
interface Destination {
  readonly assetId: string
  readonly asset: string
  /** Passwords with which the host is signed in to. */
  readonly secrets: readonly string[]
}

/** The evidence of one execution. */
export class Evidence {
  readonly #run: ExecutionRun
  readonly #changes: GroupCommit<Change, Context>
  readonly #ends = new Set<Promise<unknown>>()
  #number = 0

  constructor(run: ExecutionRun) {
    this.#run = run
    this.#changes = new GroupCommit((work) => run.ctx.transaction(work), store)
  }

  /** Text without values of secret parameters and passwords, as they are written and as JSON has them. */
  #masked(text: string, secrets: readonly string[]): string {
    const { own, execution } = this.#run
    const shown = (execution.parameters ?? {}) as Readonly<Record<string, unknown>>
    // Values of secret parameters are shown as asterisks.
    const ofParameters = Object.entries(own).flatMap(([name, value]) => (shown[name] === value ? [] : [value]))
    const hidden = [...ofParameters, ...secrets]
    return hidden
      .filter((value) => value.length >= shortestSecret)
      .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
      .reduce((masked, value) => masked.replaceAll(value, mask), text)
      .replaceAll('\0', '')
  }

  /** Keeps the files of the run with their hashes, once, before anything of them runs. */
  async keepFiles(files: readonly PlaybookFile[]): Promise<void> {
    const { ctx, execution } = this.#run
    let room = longestFiles
    const rows = files
      .filter((file) => !file.is_directory)
      .map((file) => {
        const text = file.is_binary ? '' : file.content
        const content = text.slice(0, Math.min(room, longestFile))
        room -= content.length
        return {
          ...{ execution_id: execution.id, path: file.path, size: file.size },
          ...{ sha256: createHash('sha256').update(bytesOf(file)).digest('hex'), content },
          ...{ is_whole: !file.is_binary && content.length === text.length, date_created: Date.now() },
        }
      })
    await ctx.transaction(async ({ rawDb }) => {
      await rawDb.deleteFrom('ops_executionfile').where('execution_id', '=', execution.id).execute()
      for (const row of rows) await rawDb.insertInto('ops_executionfile').values(row).execute()
    })
  }

  /**
   * Stores a command before the host receives it, and its input and status when it has ended, which is in the command log
   * too. @throws when it cannot be stored, or when there are too many
   */
  async carry({ assetId, asset, secrets }: Destination, command: string, account: string): Promise<CarriedCommand> {
    const { execution, commands, ctx } = this.#run
    if (this.#number >= mostCommands) throw new Error(`more than ${mostCommands} commands`)
    const id = randomUUID()
    const text = this.#masked(command.slice(0, longestCommand), secrets)
    // A secret value is data: one that is what runs, or ends a command, would hide it from who reads the log.
    if (text !== command && programsOf(text).join('\n') !== programsOf(command.slice(0, longestCommand)).join('\n')) {
      await this.#run.job.log(say(taskLogs.evidence_hidden, ctx.language, { asset }))
      throw new Error('a secret value would hide a command')
    }
    const row = { id, execution_id: execution.id, number: ++this.#number, asset_id: assetId, asset, account }
    await this.#changes.put({ begun: { ...row, command: text, date_created: Date.now() } })
    const hash = createHash('sha256')
    let size = 0
    let kept = Buffer.alloc(0)
    let isOver = false
    return {
      input: (bytes) => {
        hash.update(bytes)
        size += bytes.length
        if (kept.length < mostInput) kept = Buffer.concat([kept, bytes.subarray(0, mostInput - kept.length)])
      },
      end: (status) => {
        if (isOver) return
        isOver = true
        const input = this.#masked(kept.toString('utf8'), secrets)
          .replace(encodedPart, (part) => `…${part.length}…`)
          .slice(0, longestInput)
        const sum = size === 0 ? '' : hash.digest('hex')
        const values = { input, input_size: size, input_sha256: sum, status: status ?? null, date_end: Date.now() }
        const output = `${status ?? '-'}${size === 0 ? '' : `\n${sum}\n${input}`}`
        const user = `${ctx.me.name}(${ctx.me.username})`
        const told = { user, asset, account, input: text, output, execution: execution.id, riskLevel: 0 }
        this.#wait(this.#changes.put({ ended: { id, ...values } }))
        this.#wait(commands.put(told))
      },
    }
  }

  #wait(work: Promise<unknown>): void {
    const waiting = work
      .catch((error: unknown) =>
        this.#run.ctx.services.log.error({ err: error }, 'evidence of a playbook was not stored'),
      )
      .finally(() => this.#ends.delete(waiting))
    this.#ends.add(waiting)
  }

  /** Waits until everything is stored. */
  async settled(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends)
  }
}
