import type { AccountSystem, SystemTarget, TlsSettings } from '@castellan/connectors/accounts'
import { say } from '@castellan/contract/messages'
import { rotationMessages } from '@castellan/contract/messages/rotation'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { Context } from '../../../kernel/module/context.ts'
import {
  type AssetRow,
  hostKeyVerifierFor,
  protocolsByPlatform,
  protocolsOf,
  skip,
  TargetFailure,
  withDial,
} from '../../assets/index.ts'
import { type MethodSystem, systems } from './systems.ts'

/** One asset as a system whose accounts are managed, for as long as the work on it lasts. */
export interface SystemSession extends LentTarget {
  readonly system: AccountSystem
  /** Its protocol, for the place to which secrets are sent. */
  readonly protocol: string
}

/** What carries out a method of the catalogue; undefined when nothing does. */
export const systemOf = (method: string): MethodSystem | undefined =>
  systems.find(({ methods }) => methods.includes(method))

/** All methods of the catalogue that are carried out. */
export const carriedOut: readonly string[] = systems.flatMap(({ methods }) => methods)

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Certificates and switches that the asset stores. */
function tlsOf(ctx: Context, { spec, client_key }: AssetRow): TlsSettings {
  return {
    enabled: spec?.use_ssl === true,
    ca: text(spec?.ca_cert),
    certificate: text(spec?.client_cert),
    key: client_key ? ctx.services.vault.open(client_key) : undefined,
    acceptInvalid: spec?.allow_invalid_cert === true,
  }
}

/** A protocol of an asset as a target of connectors, for as long as the work on it lasts. */
export interface LentTarget {
  readonly target: SystemTarget
  /** Whether anything may have been sent that the asset acts upon: it was reached, and showed the pinned host key. */
  isTouched(): boolean
  /** The gateway that was used. */
  via(): string | undefined
}

/** Lends an asset to `use` as what connectors reach, and ends every connection to it afterwards. */
export async function withTarget<T>(
  ctx: Context,
  asset: AssetRow,
  { name, port }: { name: string; port: number },
  signal: AbortSignal,
  use: (lent: LentTarget) => Promise<T>,
): Promise<T> {
  const ofPlatform = (await protocolsByPlatform(ctx)).get(asset.platform_id) ?? []
  const settings = ofPlatform.find((one) => one.name === name)?.setting
  const judge = hostKeyVerifierFor(ctx, asset.id, port)
  return withDial(ctx, asset, port, signal, (dial, via) => {
    let isReached = false
    let isKnown = false
    return use({
      target: {
        host: asset.address,
        port,
        dial: async () => {
          const stream = await dial()
          isReached = true
          return stream
        },
        signal,
        readyTimeout: ctx.services.config.targetReadyTimeout,
        verifyHostKey: async (shown) => {
          await judge(shown)
          isKnown = true
        },
        tls: tlsOf(ctx, asset),
        database: text(asset.spec?.db_name),
        settings,
        protocol: name,
      },
      // SSH sends nothing of ours before the host key was accepted.
      isTouched: () => (name === 'ssh' ? isKnown : isReached),
      via,
    })
  })
}

/**
 * Lends the system behind an asset to `use`, and ends every connection to it afterwards. Skips the asset when nothing
 * carries out the method.
 */
export async function withSystem<T>(
  ctx: Context,
  asset: AssetRow,
  method: string,
  signal: AbortSignal,
  use: (session: SystemSession) => Promise<T>,
): Promise<T> {
  const kind = systemOf(method)
  if (!kind) return skip(ctx, 'no_method', taskLogs.reason_no_method, { method: method || '-' })
  const has = (await protocolsOf(ctx, [asset.id])).get(asset.id) ?? []
  const protocol = kind.protocols.map((name) => has.find((one) => one.name === name)).find((one) => one !== undefined)
  if (!protocol) {
    const protocols = kind.protocols.join(', ')
    throw new TargetFailure('no_protocol', say(rotationMessages.no_protocol, ctx.language, { protocols }))
  }
  const system = await kind.load()
  return withTarget(ctx, asset, protocol, signal, (lent) => use({ ...lent, system, protocol: protocol.name }))
}
