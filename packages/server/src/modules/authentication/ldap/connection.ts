/** Connections to the directory, with its address, certificate authority and time limits. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { ldapMessages } from '@castellan/contract/messages/ldap'
import { Client, InvalidCredentialsError, NoSuchObjectError, ResultCodeError } from 'ldapts'
import type { Context } from '../../../kernel/module/context.ts'
import { type Text, text } from '../../../kernel/module/errors.ts'
import { isForbiddenAddress } from '../../../kernel/security/outgoing-addresses.ts'
import { ldap, ldapOptions } from '../backends/directory-settings.ts'

/** Where the directory is, and who asks it. */
export interface DirectoryAccess {
  readonly uri: string
  readonly bindDn: string
  readonly bindPassword: string
  /** Milliseconds, for the connection and for each request. */
  readonly timeout: number
  readonly startTls: boolean
  /** PEM file of the certificate authority; the system's authorities without it. */
  readonly caFile: string
}

export function savedAccess(ctx: Context): DirectoryAccess {
  const stored = ldap.of(ctx)
  const options = ldapOptions.of(ctx)
  const sealed = stored.AUTH_LDAP_BIND_PASSWORD
  return {
    uri: stored.AUTH_LDAP_SERVER_URI,
    bindDn: stored.AUTH_LDAP_BIND_DN,
    bindPassword: sealed ? ctx.services.vault.open(sealed) : '',
    timeout: stored.AUTH_LDAP_CONNECT_TIMEOUT * 1000,
    startTls: options.AUTH_LDAP_START_TLS,
    caFile: options.AUTH_LDAP_CA_FILE,
  }
}

/** A failure of the directory that an administrator can do something about. */
export class DirectoryError extends Error {
  readonly problem: Text

  constructor(problem: Text, cause?: unknown) {
    super('The directory cannot be used.', { cause })
    this.problem = problem
  }
}

export const isAddress = (uri: string): boolean =>
  /^ldaps?:\/\/[^/]/i.test(uri) && URL.canParse(uri) && new URL(uri).hostname !== ''

const certificateCodes = /CERT|SIGNATURE|ALTNAME|SSL|TLS/

/** The sentence about an error of the network, of TLS or of the directory. */
export function problemOf(error: unknown): Text {
  if (error instanceof DirectoryError) return error.problem
  if (error instanceof InvalidCredentialsError) return text(ldapMessages.bind_failed)
  const { code, message } = error as { code?: unknown; message: string }
  const reason = message.replace(/\s+/g, ' ').trim().replace(/\.$/, '')
  if (error instanceof ResultCodeError) return text(ldapMessages.request_failed, { reason: `${error.name} ${reason}` })
  if (typeof code === 'string' && certificateCodes.test(code)) return text(ldapMessages.certificate_invalid, { reason })
  return text(ldapMessages.unreachable, { reason })
}

/** The host that the certificate has to name. TLS itself names no addresses. */
function namedHost(uri: string): { host: string; servername?: string } {
  const host = new URL(uri.replace(/^ldaps?:/i, 'http:')).hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? { host } : { host, servername: host }
}

const isMissing = (error: unknown): boolean => error instanceof NoSuchObjectError

/** The entries of a search; none where its base does not exist. */
export async function searched(
  client: Client,
  base: string,
  options: Parameters<Client['search']>[1],
): Promise<Awaited<ReturnType<Client['search']>>['searchEntries']> {
  try {
    return (await client.search(base, options)).searchEntries
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/**
 * Runs work with a connection that is bound as the service account.
 * @throws DirectoryError when the directory cannot be reached or rejects the service account
 */
export async function withDirectory<T>(access: DirectoryAccess, work: (client: Client) => Promise<T>): Promise<T> {
  if (!isAddress(access.uri) || isForbiddenAddress(namedHost(access.uri).host))
    throw new DirectoryError(text(ldapMessages.address_invalid))
  // A bind without a password succeeds on many servers, without any rights: it would look like a working account.
  if (access.bindDn && !access.bindPassword) throw new DirectoryError(text(ldapMessages.bind_failed))
  let client: Client | undefined
  try {
    const ca = access.caFile ? { ca: readFileSync(access.caFile) } : {}
    const tls = { minVersion: 'TLSv1.2', ...ca } as const
    const isSecure = /^ldaps:/i.test(access.uri)
    client = new Client({
      url: access.uri,
      timeout: access.timeout,
      connectTimeout: access.timeout,
      ...(isSecure && { tlsOptions: tls }),
    })
    if (access.startTls && !isSecure) await client.startTLS({ ...tls, ...namedHost(access.uri) })
    await client.bind(access.bindDn, access.bindPassword)
    return await work(client)
  } catch (error) {
    throw error instanceof DirectoryError ? error : new DirectoryError(problemOf(error), error)
  } finally {
    await client?.unbind().catch(() => undefined)
  }
}
