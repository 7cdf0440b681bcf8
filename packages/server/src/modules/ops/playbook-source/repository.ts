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
import type { PlaybookFile } from '../playbook-files.ts'
import { newRunFolder } from '../run-folders.ts'
import { playbookSources } from '../settings.ts'
import { pathOfProgram, runProgram } from '../tools/program.ts'
import { isOwnAddress } from '../tools/targets.ts'
import { repositoryUrl } from './repository-url.ts'

/** How long a repository may take to arrive. Milliseconds. */
const patience = 60_000
/** Bytes of one file that Git may write: of the latest state of the repository, packed. */
const largestPack = 100 * 1_048_576
/** Characters of Git's own words that are shown. */
const longestWords = 300

const failed = (reason: string) => badRequest(text(opsMessages.vcs_failed, { reason }), 'vcs_failed')

/** The address at which the repository's host is asked. It is resolved here, once: Git is not to resolve it otherwise. */
async function addressOf(ctx: Context, { hostname }: URL): Promise<string> {
  const bare = hostname.replace(/^\[|\]$/g, '')
  const found = isIP(bare) ? bare : (await lookup(bare).catch(() => undefined))?.address
  if (!found) throw badRequest(text(opsMessages.vcs_unknown_host, { host: bare.slice(0, 253) }), 'vcs_failed')
  const isClosed = isOwnAddress(found) && !playbookSources.of(ctx).PLAYBOOK_VCS_ON_SERVER
  if (isForbiddenAddress(found) || isClosed) throw badRequest(text(opsMessages.vcs_forbidden), 'vcs_forbidden')
  return found
}

/** Runs Git with nothing of this machine's configuration. @throws 400 with its words when it fails */
async function git(args: readonly string[], home: string, signal: AbortSignal, ca: string): Promise<void> {
  const limits = [`--fsize=${largestPack}`, '--core=0', '--']
  const environment = [
    ...[
      '-i',
      'PATH=/usr/bin:/bin',
      `HOME=${home}`,
      'LANG=C.UTF-8',
      'GIT_CONFIG_NOSYSTEM=1',
      'GIT_CONFIG_GLOBAL=/dev/null',
    ],
    ...['GIT_TERMINAL_PROMPT=0', 'GIT_ASKPASS=/bin/false', 'GIT_ALLOW_PROTOCOL=https', 'GIT_LFS_SKIP_SMUDGE=1'],
    ...(ca === '' ? [] : [`GIT_SSL_CAINFO=${ca}`]),
  ]
  let words = ''
  const take = (line: string) => {
    if (words.length < 4 * longestWords) words += `${line}\n`
  }
  const program = [...limits, pathOfProgram('env'), ...environment, pathOfProgram('git'), ...args]
  const code = await runProgram(pathOfProgram('prlimit'), program, take, signal)
  if (code === 0) return
  const reason = signal.aborted ? `${patience / 1000} s` : words.replaceAll(home, '').replace(/\s+/g, ' ').trim()
  throw failed(reason.slice(-longestWords) || String(code))
}

/**
 * The files of the latest state of a repository. Nothing of it is ever checked out: it is cloned without its files,
 * which Git then writes into an archive, so that hooks, filters, links and submodules do nothing.
 * @throws 400 when the repository cannot be read, is too large, or has links or no entry file
 */
export async function filesOfRepository(ctx: Context, given: string, ending?: AbortSignal): Promise<PlaybookFile[]> {
  const url = repositoryUrl(given)
  const address = await addressOf(ctx, url)
  const home = await newRunFolder('castellan-git-')
  const late = AbortSignal.timeout(patience)
  const signal = ending ? AbortSignal.any([late, ending]) : late
  const ca = playbookSources.of(ctx).PLAYBOOK_VCS_CA_FILE
  try {
    const copy = join(home, 'copy')
    const archive = join(home, 'archive.zip')
    const port = url.port || '443'
    const pinned = `${url.hostname}:${port}:${isIP(address) === 6 ? `[${address}]` : address}`
    const settings = [
      ...['-c', `http.curloptResolve=${pinned}`, '-c', 'http.followRedirects=false', '-c', 'http.lowSpeedLimit=1000'],
      ...['-c', 'http.lowSpeedTime=20', '-c', 'http.proxy=', '-c', 'core.hooksPath=/dev/null'],
    ]
    const cloning = ['clone', '--quiet', '--bare', '--depth=1', '--no-tags', '--single-branch', '--template=']
    await git([...settings, ...cloning, '--', url.href, copy], home, signal, ca)
    await git(['-C', copy, 'archive', '--format=zip', `--output=${archive}`, 'HEAD'], home, signal, ca)
    if ((await stat(archive)).size > largestArchive)
      throw badRequest(text(opsMessages.vcs_large, { max: largestArchive / 1_048_576 }), 'workspace_full')
    return await filesOfArchive(await readFile(archive))
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
