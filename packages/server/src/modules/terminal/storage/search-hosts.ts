import { storageFailures, storageMessages as texts } from '@castellan/contract/messages/storages'
import { describedAs, type Field, type StoredRow, stringList } from '../../../kernel/fields/index.ts'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import { Rejected, reject, text as say } from '../../../kernel/module/errors.ts'
import { isForbiddenAddress } from '../../../kernel/security/outgoing-addresses.ts'

/** The attribute with the passwords of the hosts, sealed: JSON by masked host. */
export const hostPasswords = 'HOST_PASSWORDS'

const mask = '******'

/** An address `http(s)://[user:password@]host:port`. */
function demandHost(written: string): string {
  const url = URL.canParse(written) ? new URL(written) : undefined
  // A default port is no part of a parsed URL.
  const hasPort = /:\d+\/?$/.test(written)
  if (!url || !/^https?:$/.test(url.protocol) || !hasPort || url.pathname !== '/' || url.search || /#/.test(written))
    return reject(texts.host_wrong)
  if (isForbiddenAddress(url.hostname)) return reject(storageFailures.forbidden_address, { address: url.hostname })
  return written.replace(/\/$/, '')
}

export const searchHosts: Field<string[], 'own'> = describedAs(
  stringList({ required: true, max: 1024, maxItems: 32, item: demandHost }),
  { max_length: undefined, child: { type: 'string', required: true, read_only: false, write_only: false } },
)

interface Separated {
  masked: string
  password: string
}

/** A host without its password. */
function separated(host: string): Separated | undefined {
  const match = /^(https?:\/\/)([^/@:]*):([^/]*)@([^/@]+)$/.exec(host)
  if (!match) return undefined
  const [, scheme, user, password = '', address] = match
  return { masked: `${scheme}${user}:${mask}@${address}`, password }
}

/**
 * Sent attributes with the passwords of hosts apart from their addresses, as they are stored. A host is shown with a
 * mask; sent back like that it keeps its password, and another host does not get it.
 * @param known the stored passwords, JSON by masked host
 * @throws Rejected
 */
export function withPasswordsApart(sent: unknown, known: string): unknown {
  if (!isObject(sent) || !Array.isArray(sent.HOSTS)) {
    // The attribute is none of the wire.
    return isObject(sent) ? { ...sent, [hostPasswords]: undefined } : sent
  }
  const before = (known === '' ? {} : JSON.parse(known)) as Record<string, string>
  const passwords: StoredRow = {}
  const hosts = sent.HOSTS.map((host: unknown) => {
    const parts = typeof host === 'string' ? separated(host.trim()) : undefined
    if (!parts) return host
    const isMasked = parts.password === mask
    if (isMasked && !Object.hasOwn(before, parts.masked)) throw new Rejected({ HOSTS: [say(texts.secret_again)] })
    passwords[parts.masked] = isMasked ? before[parts.masked] : parts.password
    return parts.masked
  })
  return { ...sent, HOSTS: hosts, [hostPasswords]: JSON.stringify(passwords) }
}

/** The hosts with their passwords, for the program that connects. */
export function hostsWithPasswords(hosts: unknown, passwords: unknown): string[] {
  const known = (typeof passwords === 'string' && passwords !== '' ? JSON.parse(passwords) : {}) as Record<
    string,
    string
  >
  return (Array.isArray(hosts) ? hosts : []).map((host: unknown) => {
    const text = String(host)
    const password = Object.hasOwn(known, text) ? known[text] : undefined
    return password === undefined ? text : text.replace(`:${mask}@`, () => `:${password}@`)
  })
}
