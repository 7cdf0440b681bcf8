import type { providerGroups } from '@castellan/contract/choices/cloud'
import type { Message } from '@castellan/contract/messages'
import type { Field } from '../../../kernel/fields/index.ts'
import type { Sealed } from '../../../kernel/security/secrets.ts'
import { ProviderFailure } from './failures.ts'

/** One call to a provider. The signal is aborted at its deadline and when the synchronization is stopped. */
export interface Call {
  readonly signal: AbortSignal
}

export interface Region {
  id: string
  name: string
}

/** A machine as its provider describes it. Everything is input of a stranger: the engine checks and bounds it. */
export interface Instance {
  /** Unique in its region, and the same in every synchronization. */
  id: string
  name: string
  platform: 'linux' | 'windows'
  privateAddresses: readonly string[]
  publicAddresses: readonly string[]
  /** A machine that is terminated counts as gone. */
  isTerminated?: boolean
}

/** Some of the machines of a region, and where the next page begins; no `next` on the last one. */
export interface InstancePage {
  instances: readonly Instance[]
  next?: string | undefined
}

/** An open account. Each method makes one round of calls: paging, retries, deadlines and stops are the engine's. */
export interface Connection {
  /** Returns when the credentials work. @throws ProviderFailure */
  test(call: Call): Promise<void>
  regions(call: Call): Promise<readonly Region[]>
  /** @param cursor `next` of the page before; undefined for the first page */
  instances(region: string, cursor: string | undefined, call: Call): Promise<InstancePage>
  close?(): Promise<void> | void
}

type Stored<F> = F extends Field<infer V> ? V : never
/** The attributes of an account, secrets opened. */
export type AttributesOf<F> = {
  readonly [K in keyof F]: Sealed extends Stored<F[K]> ? string : NonNullable<Stored<F[K]>>
}

// biome-ignore lint/suspicious/noExplicitAny: the engine serves providers whatever their attributes are
export type Attributes = Record<string, Field<any, any>>

export interface ProviderDeclaration<F extends Attributes> {
  /** The value of `provider` on the wire. */
  name: string
  label: Message
  group: keyof typeof providerGroups
  /** Attributes of its accounts. Those declared by `secret()` are sealed, and never returned. */
  attributes: F
  /** Opens an account. Loads the SDK by a dynamic import; makes no call yet. */
  connect(attributes: AttributesOf<F>): Promise<Connection>
}

/** A provider as the engine sees it. */
export interface Provider extends Omit<ProviderDeclaration<Attributes>, 'connect'> {
  connect(attributes: Readonly<Record<string, unknown>>): Promise<Connection>
}

/** Declares a provider. README.md has an example. */
export const defineProvider = <const F extends Attributes>(declaration: ProviderDeclaration<F>): Provider =>
  declaration as unknown as Provider

/** The region of providers that have none. */
export const onlyRegion: Region = { id: 'default', name: 'default' }

/** For providers without regions: a second one would have the same machines again. @throws ProviderFailure */
export function demandOnlyRegion(region: string): void {
  if (region !== onlyRegion.id) throw new ProviderFailure('no_region', { region })
}
