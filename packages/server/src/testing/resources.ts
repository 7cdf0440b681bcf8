import { rootOrgId } from '@castellan/contract/ids'
import { registerComponent } from '@castellan/testing/client'
import { it } from 'vitest'
import type { AnyRow } from '../db/database.ts'
import type { Resource, Verb } from '../kernel/resource/resource.ts'
import { modules } from '../modules.ts'
import { samples } from './samples.ts'
import { startServer, type TestServer } from './server.ts'

/** Defines a test only for resources with the feature; for the others there is no test, rather than a skipped one. */
export const manner = (has: unknown) =>
  has ? it : (_name: string, _test: () => Promise<void> | void, _timeout?: number) => {}

/** Every resource with a URL: a new one gets the common tests by being registered. */
export const resourceCases = modules
  .flatMap((module) => module.resources ?? [])
  .filter((resource) => (resource.verbs?.length ?? 0) > 0)
  .map((resource) => [`${resource.app}/${resource.path}`, resource] as const)

export const has = (resource: Resource, verb: Verb): boolean => resource.verbs?.includes(verb) ?? true

export interface Answer {
  status: number
  text: string
  bytes: Buffer
  headers: Headers
  body: AnyRow
}

export interface Asked {
  body?: unknown
  /** Sent unchanged, as JSON unless a header says otherwise. */
  raw?: string | Buffer
  anonymous?: true
  headers?: Record<string, string>
}

/**
 * Sends a request as the administrator, or as a component where only components report, in English. Never throws: the
 * common tests check every status.
 */
export type Ask = (method: string, path: string, options?: Asked) => Promise<Answer>

export interface ResourceTests extends AsyncDisposable {
  server: TestServer
  ask: Ask
  /** The id of another, empty organization. */
  elsewhere: string
  /** Creates rows by the resource's sample; `change` may alter each body. */
  make(
    address: string,
    resource: Resource,
    count: number,
    change?: (body: AnyRow, at: number) => AnyRow,
  ): Promise<AnyRow[]>
}

/** Whether only components may make this call to a collection or one of its rows. */
function isReport(method: string, path: string): boolean {
  const address = path.split('?')[0] ?? ''
  const verb = method === 'POST' ? 'create' : method === 'PUT' || method === 'PATCH' ? 'update' : undefined
  return resourceCases.some(
    ([, { url, reported }]) =>
      verb && reported?.includes(verb) && (address === url || (verb === 'update' && address.startsWith(url))),
  )
}

/** A server for the tests that run over every resource. It requires no confirmations. */
export async function startResourceTests(): Promise<ResourceTests> {
  const server = await startServer()
  const { services } = server.application
  // With confirmations, OPTIONS of a route that requires one would answer 412 too, as the contract says.
  await server
    .context()
    .transaction((ctx) => services.settings.store(ctx.rawDb, services.events, { SECURITY_VIEW_AUTH_NEED_MFA: false }))
  await services.settings.load()
  const gateway = await registerComponent(server.url, server.bootstrapToken, 'gateway of the common tests')
  const ask: Ask = async (method, path, options = {}) => {
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const answer = await fetch(new URL(path, server.url), {
      method,
      redirect: 'manual',
      headers: {
        ...(options.anonymous ? {} : (isReport(method, path) ? gateway : server.admin).proof(method, path)),
        'accept-language': 'en',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const text = bytes.toString('utf8')
    const json = answer.headers.get('content-type')?.startsWith('application/json') && text !== ''
    return { status: answer.status, text, bytes, headers: answer.headers, body: json ? JSON.parse(text) : {} }
  }
  return {
    server,
    ask,
    elsewhere: await server.organization('Elsewhere'),
    async make(address, resource, count, change = (body) => body) {
      const rows: AnyRow[] = []
      for (let at = 0; at < count; at++) {
        const body = change((await samples[address]?.(server.admin)) as AnyRow, at)
        const { status, text, body: row } = await ask('POST', resource.url, { body })
        if (status !== 201) throw new Error(`POST ${resource.url} answered ${status}: ${text.slice(0, 300)}`)
        rows.push(row)
      }
      return rows
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}

/** The headers of a request over all organizations. */
export const inRoot = { headers: { 'x-jms-org': rootOrgId } }
