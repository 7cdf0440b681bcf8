import { mkdir, rm } from 'node:fs/promises'
import { dirname, posix } from 'node:path'
import type { FileToSend } from '@castellan/connectors/commands'
import { say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import type { JobItem } from '../../../kernel/jobs/kinds.ts'
import { JobRefused } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { systemFailure, withTarget } from '../../accounts/index.ts'
import { recordTransfers } from '../../audits/index.ts'
import type { HostPayload } from '../run/decide.ts'
import type { ExecutionRun } from '../run/execution-run.ts'
import { fetchedPath } from '../run/output-store.ts'
import { prepared } from '../run/prepare.ts'
import { blockOf } from '../run/run-on-host.ts'
import type { Transfer } from './transfer.ts'
import { largestFile, largestSum, uploadPath } from './uploads.ts'

/** What a transfer moves, on the side of this machine; for all hosts of an execution. */
export class TransferRun {
  readonly transfer: Transfer
  readonly files: readonly FileToSend[]
  readonly limit: number
  #room: number

  constructor(transfer: Transfer, files: readonly FileToSend[], { limit, room }: { limit: number; room: number }) {
    this.transfer = transfer
    this.files = files
    this.limit = limit
    this.#room = room
  }

  /** @throws JobRefused when uploads are not there any more */
  static async of(ctx: Context, transfer: Transfer): Promise<TransferRun> {
    const files: FileToSend[] = []
    for (const file of transfer.files) {
      const path = await uploadPath(ctx, file)
      if (!path) throw new JobRefused('upload_gone', say(opsMessages.upload_gone, ctx.language))
      files.push({ name: file.name, path, size: file.size })
    }
    return new TransferRun(transfer, files, { limit: largestFile(ctx), room: largestSum(ctx) })
  }

  /** Whether a file of this size still has room among what the other hosts sent. */
  takesRoom(size: number): boolean {
    if (size > this.#room) return false
    this.#room -= size
    return true
  }
}

const shownSize = (bytes: number) => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1_048_576).toFixed(2)} MB`)

/** Sends the files to one host, or fetches the file from it. Each file is in the log of file transfers. */
export async function transferOnHost(
  run: ExecutionRun,
  moved: TransferRun,
  item: JobItem<HostPayload>,
  payload: HostPayload,
): Promise<void> {
  const { ctx, job, output, execution } = run
  const { transfer, files, limit } = moved
  const { row, login, protocol } = await prepared(run, payload)
  const account = login.become?.username ?? login.username
  const host = output.host(row.id)
  const done: string[] = []
  const note = (path: string, size: number) => {
    done.push(path)
    // A lost line of it does not end the transfer.
    host.write(Buffer.from(`${path} (${shownSize(size)})\n`), 'out')?.catch(() => undefined)
  }
  const to = fetchedPath(ctx.services, execution.id, row.id)
  const { fetchFile, sendFiles } = await import('@castellan/connectors/commands')
  let failure: unknown
  try {
    await withTarget(ctx, row, protocol, item.signal, async ({ target }) => {
      if (transfer.direction === 'upload')
        return sendFiles(target, login, { folder: transfer.path, overwrite: transfer.overwrite, files }, (path, file) =>
          note(path, file.size),
        )
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      const takesRoom = (size: number) => moved.takesRoom(size)
      const { path, size } = await fetchFile(target, login, { path: transfer.path, to, limit, takesRoom })
      return note(path, size)
    })
  } catch (error) {
    failure = error
    if (transfer.direction === 'fetch') await rm(to, { force: true })
  }
  const said = await host.end(account, failure === undefined ? 0 : undefined)
  const wrong =
    failure === undefined
      ? undefined
      : systemFailure(ctx, failure, { username: account, secrets: [login.secret, login.become?.password ?? ''] })
  const names =
    transfer.direction === 'upload' ? files.map(({ name }) => posix.join(transfer.path, name)) : [transfer.path]
  await recordTransfers(
    ctx,
    names.map((filename, at) => ({
      ...{ user: `${ctx.me.name}(${ctx.me.username})`, asset: `${row.name}(${row.address})`, account },
      ...{ remote_addr: transfer.remote_addr, operate: transfer.direction === 'upload' ? 'upload' : 'download' },
      ...{ filename: done[at] ?? filename, is_success: at < done.length },
    })),
  )
  const words = wrong ? `${host.head}${wrong.message}` : host.head
  await job.log(blockOf(ctx, payload.host, wrong ? 'FAILED' : 'SUCCESS', said, words))
  item.signal.throwIfAborted()
  if (wrong) throw wrong
}
