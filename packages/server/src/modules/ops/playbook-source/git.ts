/** Runs Git for repositories of others: with nothing of this machine, and with one secret at most. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { withoutControls } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import { type ApiError, badRequest, text } from '../../../kernel/module/errors.ts'
import { pathOfProgram, runProgram } from '../tools/program.ts'
import type { Access } from './access.ts'
import type { RepositoryAddress } from './repository-url.ts'

/** How long a repository may take to arrive. Milliseconds. */
export const patience = 60_000
/** Bytes of one file that Git may write: of the latest state of the repository, packed. */
const largestPack = 100 * 1_048_576
/** Bytes of memory that Git may take: repositories unpack to thousands of times their size. */
const mostMemory = 512 * 1_048_576
/** Git streams what is larger instead of holding it, and unpacks on one processor only. */
const frugal = ['-c', 'core.bigFileThreshold=4m', '-c', 'core.deltaBaseCacheLimit=32m', '-c', 'pack.threads=1']
/** Characters of Git's own words that are shown. */
const longestWords = 300
/** Under this name a host key is known, whatever the host is called. */
const alias = 'castellan-git'

/** How the repository is reached: its address, resolved once, and what signs in there. */
export interface Reached {
  readonly address: RepositoryAddress
  /** The IP address of its host. */
  readonly ip: string
  readonly access: Access
  /** A folder of this run that nobody else may enter. */
  readonly home: string
  /** A file with the authorities of https; the machine's own when it is empty. */
  readonly ca: string
}

const failed = (reason: string): ApiError => badRequest(text(opsMessages.vcs_failed, { reason }), 'vcs_failed')

/** A helper of Git that reads the password from a descriptor: it is in no argument, variable and file. Without input. */
const helper = '!f() { test "$1" = get || return 0; printf password=; cat <&3; echo; }; f'

function httpsSettings({ address, ip, access }: Reached): string[] {
  const { host, port } = address
  const named = isIP(host) === 6 ? `[${host}]` : host
  const pinned = `${named}:${port}:${isIP(ip) === 6 ? `[${ip}]` : ip}`
  return [
    ...['-c', `http.curloptResolve=${pinned}`, '-c', 'http.followRedirects=false', '-c', 'http.lowSpeedLimit=1000'],
    ...['-c', 'http.lowSpeedTime=20', '-c', 'http.proxy=', '-c', 'credential.helper='],
    ...(access.method === 'password'
      ? ['-c', `credential.helper=${helper}`, '-c', `credential.username=${access.username}`]
      : []),
  ]
}

const knownHosts = (home: string) => join(home, 'known_hosts')

/** The settings of SSH, its key, and the host key that it expects, as files of this run. */
async function furnishSsh({ ip, access, home }: Reached): Promise<void> {
  const quoted = (name: string) => `"${join(home, name)}"`
  const lines = [
    `HostName ${ip}`,
    ...['User git', `HostKeyAlias ${alias}`, `IdentityFile ${quoted('key')}`, 'IdentityAgent none'],
    ...['IdentitiesOnly yes', `UserKnownHostsFile ${quoted('known_hosts')}`, 'GlobalKnownHostsFile /dev/null'],
    `StrictHostKeyChecking ${access.hostKey ? 'yes' : 'accept-new'}`,
    ...['HashKnownHosts no', 'UpdateHostKeys no', 'CheckHostIP no', 'BatchMode yes', 'PubkeyAuthentication yes'],
    ...['PreferredAuthentications publickey', 'ProxyCommand none', 'ControlMaster no', 'ControlPath none'],
    ...['ForwardAgent no', 'ClearAllForwardings yes', 'PermitLocalCommand no', 'ConnectTimeout 20', 'LogLevel ERROR'],
  ]
  await writeFile(join(home, 'ssh_config'), `Host *\n${lines.map((line) => `  ${line}\n`).join('')}`, { mode: 0o600 })
  await writeFile(join(home, 'key'), access.secret.trimEnd().concat('\n'), { mode: 0o600 })
  await writeFile(knownHosts(home), access.hostKey ? `${alias} ${access.hostKey}\n` : '', { mode: 0o600 })
}

/** The host key that SSH has learned: its type and the key. */
async function learnedKey({ home }: Reached): Promise<string | undefined> {
  const [, type, key] = (await readFile(knownHosts(home), 'utf8')).split(/\s+/)
  return type && key ? `${type} ${key}` : undefined
}

/** Runs Git. @throws 400 with its words when it fails */
export async function git(args: readonly string[], reached: Reached, signal: AbortSignal): Promise<void> {
  const { address, access, home, ca } = reached
  const limits = [`--fsize=${largestPack}`, `--data=${mostMemory}`, '--core=0', '--']
  const environment = [
    ...['-i', 'PATH=/usr/bin:/bin', `HOME=${home}`, 'LANG=C.UTF-8', 'GIT_CONFIG_NOSYSTEM=1'],
    ...['GIT_CONFIG_GLOBAL=/dev/null', 'GIT_TERMINAL_PROMPT=0', 'GIT_ASKPASS=/bin/false'],
    ...[`GIT_ALLOW_PROTOCOL=${address.scheme}`, 'GIT_LFS_SKIP_SMUDGE=1'],
    ...(ca === '' ? [] : [`GIT_SSL_CAINFO=${ca}`]),
    // Git gives it to a shell: nothing but its own folder is filled in there.
    ...(address.scheme === 'ssh' ? ['GIT_SSH_VARIANT=ssh', 'GIT_SSH_COMMAND=ssh -F "$HOME/ssh_config"'] : []),
  ]
  let words = ''
  const take = (line: string) => {
    if (words.length < 4 * longestWords) words += `${line}\n`
  }
  const program = [...limits, pathOfProgram('env'), ...environment, pathOfProgram('git'), ...frugal, ...args]
  const secret = access.method === 'password' ? access.secret : undefined
  const code = await runProgram(pathOfProgram('prlimit'), program, take, signal, secret)
  if (code === 0) return
  if (/^Host key verification failed/m.test(words))
    throw badRequest(text(opsMessages.vcs_host_key_changed), 'vcs_host_key')
  const own = access.secret === '' ? words : words.replaceAll(access.secret, '***')
  // Much of it is the server's.
  const said = withoutControls(own.replaceAll(home, '').replace(/\s+/g, ' ')).trim()
  const reason = signal.aborted ? `${patience / 1000} s` : said
  throw failed(reason.slice(-longestWords) || String(code))
}

/**
 * Clones the latest state of a repository into `copy`, without checking anything out.
 * @returns the host key that SSH learned, when none was expected
 */
export async function clone(reached: Reached, copy: string, signal: AbortSignal): Promise<string | undefined> {
  const isSsh = reached.address.scheme === 'ssh'
  if (isSsh) {
    if (reached.access.method !== 'ssh_key') throw badRequest(text(opsMessages.vcs_key_needed), 'vcs_key_needed')
    pathOfProgram('ssh')
    await furnishSsh(reached)
  }
  const settings = [...(isSsh ? [] : httpsSettings(reached)), '-c', 'core.hooksPath=/dev/null']
  const cloning = ['clone', '--quiet', '--bare', '--depth=1', '--no-tags', '--single-branch', '--template=']
  await git([...settings, ...cloning, '--', reached.address.href, copy], reached, signal)
  // Files are taken as they are: filled-in placeholders grow to any size, and are not what the repository shows.
  await mkdir(join(copy, 'info'), { recursive: true })
  await writeFile(join(copy, 'info', 'attributes'), '* -export-subst\n')
  return isSsh && !reached.access.hostKey ? learnedKey(reached) : undefined
}
