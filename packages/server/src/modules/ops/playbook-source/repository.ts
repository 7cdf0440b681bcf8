/** Playbooks whose files come from a Git repository. */
import { lookup } from 'node:dns/promises'
import { readFile, rm, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { opsMessages } from '@castellan/contract/messages/ops'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, text } from '../../../kernel/module/errors.ts'
import { isForbiddenAddress } from '../../../kernel/security/outgoing-addresses.ts'
import { filesOfArchive, largestArchive } from '../playbook-archive.ts'
import type { PlaybookFile } from '../playbook-file.ts'
import { newRunFolder } from '../run-folders.ts'
import { playbookSources } from '../settings.ts'
import { isOwnAddress } from '../tools/targets.ts'
import type { Access } from './access.ts'
import { clone, git, patience } from './git.ts'
import type { RepositoryAddress } from './repository-url.ts'

/** The address at which the repository's host is asked. It is resolved here, once: Git is not to resolve it otherwise. */
async function resolved(ctx: Context, { host }: RepositoryAddress): Promise<string> {
  const found = isIP(host) ? host : (await lookup(host).catch(() => undefined))?.address
  if (!found) throw badRequest(text(opsMessages.vcs_unknown_host, { host: host.slice(0, 253) }), 'vcs_failed')
  const isClosed = isOwnAddress(found) && !playbookSources.of(ctx).PLAYBOOK_VCS_ON_SERVER
  if (isForbiddenAddress(found) || isClosed) throw badRequest(text(opsMessages.vcs_forbidden), 'vcs_forbidden')
  return found
}

export interface RepositoryFiles {
  readonly files: PlaybookFile[]
  /** The SSH host key that was seen for the first time. */
  readonly hostKey: string | undefined
}

/**
 * The files of the latest state of a repository. Nothing of it is ever checked out: it is cloned without its files,
 * which Git then writes into an archive, so that hooks, filters, links and submodules do nothing.
 * @throws 400 when the repository cannot be read, is too large, or has links or no entry file
 */
export async function filesOfRepository(
  ctx: Context,
  address: RepositoryAddress,
  access: Access,
  ending?: AbortSignal,
): Promise<RepositoryFiles> {
  const ip = await resolved(ctx, address)
  const home = await newRunFolder('castellan-git-')
  const late = AbortSignal.timeout(patience)
  const signal = ending ? AbortSignal.any([late, ending]) : late
  const reached = { address, ip, access, home, ca: playbookSources.of(ctx).PLAYBOOK_VCS_CA_FILE }
  try {
    const copy = join(home, 'copy')
    const archive = join(home, 'archive.zip')
    const hostKey = await clone(reached, copy, signal)
    await git(['-C', copy, 'archive', '--format=zip', `--output=${archive}`, 'HEAD'], reached, signal)
    if ((await stat(archive)).size > largestArchive)
      throw badRequest(text(opsMessages.vcs_large, { max: largestArchive / 1_048_576 }), 'workspace_full')
    return { files: await filesOfArchive(ctx.me.id, await readFile(archive)), hostKey }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
