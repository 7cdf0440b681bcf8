import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { session } from '../../kit/session.ts'
import { ConnectDialogs } from '../connect/ConnectDialogs.tsx'
import { useConnector } from '../connect/useConnector.ts'
import { usePageTitle } from '../page-title.ts'
import { useTerminalSettings } from '../settings/preferences.ts'
import { t } from '../text.ts'
import { Watermark } from '../Watermark.tsx'
import { PaneHandles } from '../workspace/handles.ts'
import type { Pane, PaneState, PaneTarget } from '../workspace/model.ts'
import { useLeaveGuard } from '../workspace/useLeaveGuard.ts'
import { useParent } from './parent.ts'
import { paneOfToken, type TokenRow } from './token-pane.ts'

const TerminalPane = lazyComponent(() =>
  import('../screen/TerminalPane.tsx').then((module) => ({ default: module.TerminalPane })),
)
const FilePane = lazyComponent(() => import('../files/FilePane.tsx').then((module) => ({ default: module.FilePane })))

const filesOf = ({ asset, alias }: PaneTarget) => new URLSearchParams({ asset: asset.id, login_account: alias })

/** One connection and nothing else, for a page that has already made its token and shows it in a frame. */
export function FramePage() {
  const [query] = useSearchParams()
  const token = query.get('token') ?? ''
  const [pane, setPane] = useState<Pane>()
  const [refused, setRefused] = useState('')
  const [settings] = useTerminalSettings()
  const [handles] = useState(() => new PaneHandles())
  const connector = useConnector(
    () => undefined,
    () => undefined,
  )
  const handle = () => handles.get(pane?.id)
  const tell = useParent({ focus: () => handle()?.focus(), type: (text) => handle()?.type(text) })
  usePageTitle(pane?.target.asset.name ?? t('webTerminal'))
  useLeaveGuard(pane !== undefined && pane.state !== 'ended')

  useEffect(() => {
    const abort = new AbortController()
    const path = `/api/v1/authentication/connection-token/${encodeURIComponent(token)}/`
    call<TokenRow>(path, { quiet: true, signal: abort.signal }).then(
      (row) => setPane(paneOfToken(row)),
      (error: unknown) => {
        if (!abort.signal.aborted) setRefused(error instanceof ApiError ? error.message : t('endTokenInvalid'))
      },
    )
    return () => abort.abort()
  }, [token])

  const onState = (state: PaneState) => {
    setPane((now) => now && { ...now, state })
    if (state === 'open') tell('CONNECTED')
    if (state === 'ended') tell('CLOSE')
  }
  const onReconnect = async () => {
    const fresh = pane && (await connector.exchange(pane))
    if (pane && fresh) setPane({ ...fresh, id: pane.id })
  }
  if (refused) return <p className="page-word">{refused}</p>
  if (!pane) return null
  const { name, username } = session().profile
  const common = {
    pane,
    closable: false,
    settings,
    onState,
    onReconnect: () => void onReconnect(),
    onClose: () => tell('CLOSE'),
  }
  return (
    <main className={`pane on frame is-${pane.kind}`} onPointerDownCapture={() => tell('CLICK')}>
      <h1 className="unseen">{pane.target.asset.name}</h1>
      <Watermark lines={[`${name}(${username})`, pane.target.asset.name]} />
      {pane.kind === 'files' ? (
        <FilePane {...common} />
      ) : (
        <TerminalPane
          {...common}
          visible
          active
          handleOf={handles.set}
          onFocus={() => tell('CLICK')}
          onFiles={() => window.open(`/luna/sftp?${filesOf(pane.target)}`, '_blank')}
        />
      )}
      <ConnectDialogs connector={connector} />
    </main>
  )
}
