import { storageFailures, storageMessages as texts } from '@castellan/contract/messages/storages'
import { describedAs, type Field, type StoredRow, stringList } from '../../../kernel/fields/index.ts'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import { Rejected, reject, text as say } from '../../../kernel/module/errors.ts'
import { isForbiddenAddress } from '../../../kernel/security/outgoing-addresses.ts'

/** The attribute with the passwords of the hosts, sealed: JSON by masked host. */
export const hostPasswords = 'HOST_PASSWORDS'

const mask = '******'

/**
 * The one way in which an address is written: `http(s)://[user[:password]@]host:port`. A parser of addresses takes many
 * more, and a password that only it finds would be stored and shown as a part of the address.
 */
const form =
  /^(?<scheme>https?):\/\/(?:(?<user>[^/\\@:\p{Cc}]*)(?::(?<password>[^/\\\p{Cc}]*))?@)?(?<address>[^/\\@?#\s\p{Cc}]+:\d+)\/?$/iu

interface Host {
  masked: string
  password: string | undefined
}

/** An address with its password apart; undefined for anything else. */
function readHost(written: string): Host | undefined {
  const { scheme, user, password, address } = form.exec(written.trim())?.groups ?? {}
  if (!scheme || !address) return undefined
  const login = password === undefined ? (user ?? '') : `${user}:${mask}`
  return { masked: `${scheme.toLowerCase()}://${login}${login && '@'}${address}`, password }
}

/** An address whose password is apart already. */
function demandHost(written: string): string {
  const host = readHost(written)
  const isApart = host?.password === undefined || host.password === mask
  const url = host && isApart && URL.canParse(host.masked) ? new URL(host.masked) : undefined
  if (!host || !url) return reject(texts.host_wrong)
  if (isForbiddenAddress(url.hostname)) return reject(storageFailures.forbidden_address, { address: url.hostname })
  return host.masked
}

export const searchHosts: Field<string[], 'own'> = describedAs(
  stringList({ required: true, max: 1024, maxItems: 32, item: demandHost }),
  { max_length: undefined, child: { type: 'string', required: true, read_only: false, write_only: false } },
)

/** Addresses as they are shown: also one that was stored with its password has none. */
export const maskedHosts = (hosts: unknown): unknown =>
  Array.isArray(hosts) ? hosts.map((host: unknown) => readHost(String(host))?.masked ?? host) : hosts

/**
 * Sent attributes with the passwords of hosts apart from their addresses, as they are stored. A host is shown with a
 * mask; sent back like that it keeps its password, and another host does not get it.
 * @param known the stored passwords, JSON by masked host; none for whom they were not entered
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
    const parts = typeof host === 'string' ? readHost(host) : undefined
    if (parts?.password === undefined) return host
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
