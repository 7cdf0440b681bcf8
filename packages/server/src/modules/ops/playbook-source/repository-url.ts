import { opsMessages } from '@castellan/contract/messages/ops'
import { badRequest, text } from '../../../kernel/module/errors.ts'

/** Where a repository is, as it may be asked for. It has no secret in it: it is stored and shown. */
export interface RepositoryAddress {
  readonly scheme: 'https' | 'ssh'
  /** Name or address of the host; IPv6 without brackets. */
  readonly host: string
  readonly port: string
  /** The whole of it, as Git takes it. */
  readonly href: string
  /** Scheme, host and port: a secret that was stored for one is sent to no other. */
  readonly origin: string
}

/** Names without a sign before them, with which Git's library for https means other things than a name. */
const hostName = /^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9])?$/i
const hostV6 = /^\[[0-9a-f:.]+\]$/i
const userName = /^[a-z_][a-z0-9_.-]{0,63}$/i
/** The short form of SSH addresses, with a path below the home folder: `git@host:team/site.git`. */
const short =
  /^(?<user>[a-z_][a-z0-9_.-]{0,63})@(?<host>[a-z0-9][a-z0-9.-]{0,252}):(?<path>[^\s:\p{Cc}-][^\s\p{Cc}]*)$/iu

const addressOf = (scheme: 'https' | 'ssh', host: string, port: string, href: string): RepositoryAddress => {
  const plain = host.replace(/^\[|\]$/g, '').toLowerCase()
  return { scheme, host: plain, port, href, origin: `${scheme}://${host.toLowerCase()}:${port}` }
}

/**
 * The address of a repository: `https` without username and password, `ssh` with a username at most. Undefined for
 * anything else.
 */
export function repositoryIn(given: string): RepositoryAddress | undefined {
  const { user, host } = short.exec(given)?.groups ?? {}
  if (user && host) return hostName.test(host) ? addressOf('ssh', host, '22', given) : undefined
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url?.password !== '' || url.search !== '' || url.hash !== '') return undefined
  if (!hostName.test(url.hostname) && !hostV6.test(url.hostname)) return undefined
  if (url.protocol === 'https:')
    return url.username === '' ? addressOf('https', url.hostname, url.port || '443', url.href) : undefined
  if (url.protocol !== 'ssh:' || url.pathname.length < 2) return undefined
  if (url.username !== '' && !userName.test(url.username)) return undefined
  return addressOf('ssh', url.hostname, url.port || '22', url.href)
}

/** @throws 400 for what is no address of a repository */
export function repositoryAddress(given: string): RepositoryAddress {
  const address = repositoryIn(given)
  if (!address) throw badRequest(text(opsMessages.vcs_url_invalid), 'vcs_url_invalid')
  return address
}
