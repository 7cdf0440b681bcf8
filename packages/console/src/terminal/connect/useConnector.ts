import { useCallback, useRef, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { encryptSecret } from '../../kit/api/secret.ts'
import type { ConnectionToken, ConnectMethods, PermedAsset, TicketInfo } from '../wire.ts'
import type { Direction, Pane, PaneKind, PaneTarget } from '../workspace/model.ts'
import { type Choice, choiceFor, tokenRequest, toRemember, withoutAsking } from './choice.ts'
import { rememberChoice, rememberedChoice, rememberTyped } from './memory.ts'
import { type Refusal, refusalCode, refusalFor, refusalOf } from './refusal.ts'
import { waitForReview } from './review.ts'

const tokens = '/api/v1/authentication/connection-token/'

export type OpenAs = { how: 'tab' } | { how: 'split'; tab: string; direction: Direction }

export interface ConnectRequest {
  asset: string
  as: OpenAs
  /** Shows the dialog even if the last choice could be used. */
  ask?: boolean
  account?: string
  protocol?: string
}

export type ConnectStep =
  | { at: 'idle' }
  | { at: 'loading' }
  | { at: 'asking'; request: ConnectRequest; asset: PermedAsset; methods: ConnectMethods; busy: boolean }
  | { at: 'mayAsk'; again: () => void }
  | { at: 'waiting'; info: TicketInfo; leave: () => void }
  | { at: 'refused'; refusal: Refusal }

interface Opened {
  pane: Pane
  as: OpenAs
}

/**
 * From an asset to a connection token to a pane: asks for missing values, waits for approval if a rule requires it, and
 * explains failures. One connection is in progress at a time; a new one replaces it.
 */
export function useConnector(onOpen: (opened: Opened) => void, onNative: (url: string) => void) {
  const [step, setStep] = useState<ConnectStep>({ at: 'idle' })
  const running = useRef(new AbortController())
  const callbacks = useRef({ onOpen, onNative })
  callbacks.current = { onOpen, onNative }

  const restart = useCallback(() => {
    running.current.abort()
    running.current = new AbortController()
    return running.current.signal
  }, [])

  const stop = useCallback(() => {
    restart()
    setStep({ at: 'idle' })
  }, [restart])

  /** Requests a token, including the steps a login rule requires. */
  const obtain = useCallback(
    async (
      post: (query: { create_ticket?: 1 }) => Promise<ConnectionToken>,
      signal: AbortSignal,
    ): Promise<ConnectionToken | undefined> => {
      try {
        return await post({})
      } catch (error) {
        if (signal.aborted) return undefined
        if (refusalCode(error) !== 'acl_review') {
          setStep({ at: 'refused', refusal: refusalOf(error) })
          return undefined
        }
      }
      await new Promise<void>((again) => setStep({ at: 'mayAsk', again }))
      if (signal.aborted) return undefined
      try {
        const token = await post({ create_ticket: 1 })
        const info = token.from_ticket_info ?? {}
        if (!info.check_ticket_api) return token
        setStep({ at: 'waiting', info, leave: stop })
        const { state, name } = await waitForReview(info, signal)
        if (state === 'approved') return token
        if (state === 'left') return undefined
        setStep({ at: 'refused', refusal: { ...refusalFor(`ticket_review_${state}`), detail: name } })
      } catch (error) {
        if (!signal.aborted) setStep({ at: 'refused', refusal: refusalOf(error) })
      }
      return undefined
    },
    [stop],
  )

  const connect = useCallback(
    async (asset: PermedAsset, choice: Choice, as: OpenAs, signal: AbortSignal) => {
      const sealed = await encryptSecret(choice.secret)
      const body = tokenRequest(asset.id, choice, sealed)
      const token = await obtain(
        (query) => call<ConnectionToken>(tokens, { method: 'POST', query, body, quiet: true }),
        signal,
      )
      if (!token || signal.aborted) return
      setStep({ at: 'idle' })
      if (choice.method.type === 'native' && !choice.method.value.endsWith('_guide')) {
        try {
          const { url } = await call<{ url: string }>(`${tokens}${token.id}/client-url/`, { quiet: true, signal })
          callbacks.current.onNative(url)
        } catch (error) {
          if (!signal.aborted) setStep({ at: 'refused', refusal: refusalOf(error) })
        }
        return
      }
      callbacks.current.onOpen({ as, pane: paneOf(token, targetOf(asset, choice), kindOf(choice.method.value)) })
    },
    [obtain],
  )

  /** Starts with an asset: directly if the last choice can be reused, otherwise with the dialog. */
  const start = useCallback(
    async (request: ConnectRequest) => {
      const signal = restart()
      setStep({ at: 'loading' })
      try {
        const [asset, methods] = await Promise.all([
          call<PermedAsset>(`/api/v1/perms/users/self/assets/${request.asset}/`, { quiet: true, signal }),
          call<ConnectMethods>('/api/v1/terminal/components/connect-methods/', { quiet: true, signal }),
        ])
        const narrowed = request.protocol
          ? { ...asset, permed_protocols: asset.permed_protocols.filter(({ name }) => name === request.protocol) }
          : asset
        const known = request.ask ? undefined : knownChoice(narrowed, methods, request)
        if (signal.aborted) return
        if (known) await connect(narrowed, known, request.as, signal)
        else setStep({ at: 'asking', request, asset: narrowed, methods, busy: false })
      } catch (error) {
        if (!signal.aborted) setStep({ at: 'refused', refusal: refusalOf(error) })
      }
    },
    [restart, connect],
  )

  /** Submits the dialog. */
  const choose = useCallback(
    async (choice: Choice, remember: boolean) => {
      if (step.at !== 'asking') return
      const { asset, request } = step
      // A dialog for a single protocol says nothing about the usual choice for this asset.
      if (!request.protocol) rememberChoice(asset.id, toRemember(choice, remember))
      rememberTyped(asset.id, choice.username)
      setStep({ ...step, busy: true })
      await connect(asset, choice, request.as, restart())
    },
    [step, connect, restart],
  )

  /** A new token with the same permissions as the current one: for clone, split and reconnect. */
  const exchange = useCallback(
    async (pane: Pane): Promise<Pane | undefined> => {
      const signal = restart()
      const token = await obtain(
        (query) =>
          call<ConnectionToken>(`${tokens}exchange/`, {
            method: 'POST',
            query,
            body: { id: pane.tokenId },
            quiet: true,
          }),
        signal,
      )
      if (!token || signal.aborted) return undefined
      setStep({ at: 'idle' })
      return paneOf(token, pane.target, pane.kind)
    },
    [obtain, restart],
  )

  return { step, start, choose, exchange, stop }
}
export type Connector = ReturnType<typeof useConnector>

/** Connects with a choice without asking. */
function knownChoice(asset: PermedAsset, methods: ConnectMethods, request: ConnectRequest): Choice | undefined {
  const remembered = rememberedChoice(asset.id)
  if (request.protocol) {
    return choiceFor(asset, methods, request.protocol, request.account ?? remembered?.account.alias)
  }
  return request.account ? undefined : withoutAsking(asset, methods, remembered)
}

function kindOf(method: string): PaneKind {
  if (method.endsWith('_guide')) return 'guide'
  return method === 'web_sftp' ? 'files' : 'terminal'
}

function targetOf(asset: PermedAsset, choice: Choice): PaneTarget {
  const typed = choice.username || choice.account.username
  return {
    asset: { id: asset.id, name: asset.name, address: asset.address, type: asset.type.value },
    account: typed.startsWith('@') ? choice.account.name : typed,
    alias: choice.account.alias,
    protocol: choice.protocol,
    method: choice.method.value,
  }
}

let paneNumber = 0

function paneOf(token: ConnectionToken, target: PaneTarget, kind: PaneKind): Pane {
  return {
    id: `pane-${++paneNumber}`,
    kind,
    target,
    tokenId: token.id,
    tokenValue: token.value,
    tokenExpires: token.date_expired,
    state: 'connecting',
  }
}
