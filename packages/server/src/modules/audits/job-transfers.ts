import type { fileOperations } from '@castellan/contract/choices/audits'
import type { Context } from '../../kernel/module/context.ts'
import { insertRows } from '../../kernel/resource/repository.ts'
import { ftpLog } from './ftp-log.ts'

/** A file that a job moved, or did not manage to move. */
export interface JobTransfer {
  user: string
  asset: string
  account: string
  remote_addr: string
  operate: keyof typeof fileOperations
  filename: string
  is_success: boolean
}

/** Adds file transfers of jobs to the log of the organization. */
export async function recordTransfers(ctx: Context, transfers: readonly JobTransfer[]): Promise<void> {
  const rows = transfers.map(({ operate, is_success, ...words }) => ({
    user: words.user.slice(0, 128),
    asset: words.asset.slice(0, 1024),
    account: words.account.slice(0, 128),
    remote_addr: words.remote_addr.slice(0, 128),
    filename: words.filename.slice(0, 1024),
    operate,
    is_success,
    date_start: Date.now(),
    org_id: ctx.orgId,
  }))
  await ctx.transaction((inside) => insertRows(inside, ftpLog, rows))
}
