import { Drawer, type InputRef } from 'antd'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSearchParams } from 'react-router'
import { useNarrow } from '../browser/media.ts'
import { useSideWidth } from '../browser/side-width.ts'
import { confirm } from '../kit/confirm.ts'
import { session } from '../kit/session.ts'
import { toast } from '../kit/toast.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Brand } from './Brand.tsx'
import { ConnectDialogs } from './connect/ConnectDialogs.tsx'
import { type OpenAs, useConnector } from './connect/useConnector.ts'
import { NothingOpen } from './NothingOpen.tsx'
import { usePageTitle } from './page-title.ts'
import { defaultSettings, fontSizes, useTerminalSettings } from './settings/preferences.ts'
import { SettingsDialog } from './settings/SettingsDialog.tsx'
import { t } from './text.ts'
import { AssetPanel } from './tree/AssetPanel.tsx'
import { PaneHandles } from './workspace/handles.ts'
import { handleKey } from './workspace/keys.ts'
import {
  activePane,
  activeTab,
  type Direction,
  emptyWorkspace,
  maxPanes,
  type Pane,
  reduceWorkspace,
  runningPanes,
} from './workspace/model.ts'
import { Panes } from './workspace/Panes.tsx'
import { TabStrip, tabTitle } from './workspace/TabStrip.tsx'
import { useLeaveGuard } from './workspace/useLeaveGuard.ts'

/** Milliseconds between connections to several selected assets: each may open a dialog. */
const connectAllEvery = 500

/** The terminal application: granted assets on the left, open tabs on the right. */
export function TerminalApp({ single = false, files = false }: { single?: boolean; files?: boolean }) {
  const [space, dispatch] = useReducer(reduceWorkspace, emptyWorkspace)
  const [settings, changeSettings] = useTerminalSettings()
  const [showSettings, setShowSettings] = useState(false)
  const [treeShown, setTreeShown] = useState(!single)
  const [opened, setOpened] = useState(0)
  const [queue, setQueue] = useState<string[]>([])
  const [handles] = useState(() => new PaneHandles())
  const searchField = useRef<InputRef>(null)
  const narrow = useNarrow()
  const side = useSideWidth('Terminal', t('treeWidth'))
  const [query] = useSearchParams()

  const onOpen = useCallback(({ pane, as }: { pane: Pane; as: OpenAs }) => {
    if (as.how === 'split') dispatch({ do: 'split', tab: as.tab, pane, direction: as.direction })
    else dispatch({ do: 'open', pane })
    setOpened((n) => n + 1)
  }, [])
  const connector = useConnector(onOpen, openNative)
  const tab = activeTab(space)
  const pane = activePane(space)
  const title = tab ? tabTitle(tab) : t(files ? 'fileManager' : 'webTerminal')
  usePageTitle(title)

  const connect = useCallback(
    (asset: string, more: { ask?: boolean; protocol?: string; account?: string; as?: OpenAs } = {}) => {
      if (narrow) setTreeShown(false)
      void connector.start({ asset, as: { how: 'tab' }, protocol: files ? 'sftp' : undefined, ...more })
    },
    [connector.start, narrow, files],
  )
  const split = async (id: string, direction: Direction) => {
    const from = space.tabs.find((one) => one.id === id)
    const source = from?.panes.find((one) => one.id === from.active)
    if (!from || !source || from.panes.length >= maxPanes) return
    const copy = await connector.exchange(source)
    if (copy) onOpen({ pane: copy, as: { how: 'split', tab: id, direction } })
  }
  const clone = async (id: string) => {
    const source = space.tabs.find((one) => one.id === id)?.panes[0]
    const copy = source && (await connector.exchange(source))
    if (copy) onOpen({ pane: copy, as: { how: 'tab' } })
  }
  const reconnect = async (one: Pane) => {
    const fresh = await connector.exchange(one)
    if (fresh) dispatch({ do: 'token', pane: one.id, ...tokenOf(fresh) })
  }
  const close = (tabs: string[]) =>
    ending(runningPanes(space.tabs.filter((one) => tabs.includes(one.id))), () => dispatch({ do: 'close', tabs }))
  const closePane = (one: Pane) =>
    ending(one.state === 'open' && one.kind !== 'guide' ? 1 : 0, () => dispatch({ do: 'closePane', pane: one.id }))
  const findAsset = () => {
    // At once: what is typed before the next frame belongs to the search.
    flushSync(() => setTreeShown(true))
    searchField.current?.focus({ cursor: 'all' })
  }

  useLeaveGuard(runningPanes(space.tabs) > 0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is read once, at the start
  useEffect(() => {
    const asset = query.get('login_to') ?? query.get('asset')
    if (asset) connect(asset, { account: query.get('login_account') ?? undefined })
  }, [])

  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const ours = handleKey(event, {
        split: (direction) => tab && void split(tab.id, direction),
        find: () => handles.get(pane?.id)?.find(),
        findAsset,
        toggleTree: () => setTreeShown((shown) => !shown),
        step: (by) => dispatch({ do: 'step', by }),
        clone: () => tab && void clone(tab.id),
        fontSize: (by) => {
          const next = by === 0 ? defaultSettings.fontSize : settings.fontSize + by
          changeSettings({ fontSize: Math.min(fontSizes.max, Math.max(fontSizes.min, next)) })
        },
      })
      if (!ours) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', listener, true)
    return () => window.removeEventListener('keydown', listener, true)
  })

  useEffect(() => {
    const [next, ...rest] = queue
    if (next === undefined || connector.step.at !== 'idle') return
    const timer = setTimeout(() => {
      setQueue(rest)
      connect(next)
    }, connectAllEvery)
    return () => clearTimeout(timer)
  }, [queue, connector.step.at, connect])

  const panel = (
    <AssetPanel
      lazy={settings.lazyTree}
      searchRef={searchField}
      header={<Brand />}
      sessions={opened}
      connect={(asset) => connect(asset)}
      connectWith={(asset) => connect(asset, { ask: true })}
      connectFiles={(asset) => connect(asset, { protocol: 'sftp' })}
      connectAll={setQueue}
      openWindow={(asset) => window.open(`/luna/connect?login_to=${asset}`, '_blank', 'popup,width=1100,height=720')}
      split={
        tab && tab.panes.length < maxPanes
          ? (asset, direction) => connect(asset, { as: { how: 'split', tab: tab.id, direction } })
          : undefined
      }
      onHide={() => setTreeShown(false)}
    />
  )

  return (
    <div
      className="wt"
      style={{ '--side-width': treeShown && !narrow ? `${side.width}px` : '0px' } as React.CSSProperties}
    >
      {narrow ? (
        <Drawer
          open={treeShown}
          placement="left"
          size={300}
          closable={false}
          aria-label={t('assets')}
          forceRender
          onClose={() => setTreeShown(false)}
          classNames={{ body: 'side' }}
        >
          {panel}
        </Drawer>
      ) : (
        <aside className="side" hidden={!treeShown} aria-label={t('assets')}>
          {panel}
          <div className="side-edge" {...side.edge} />
        </aside>
      )}
      <TabStrip
        space={space}
        treeShown={treeShown && !narrow}
        onShowTree={() => setTreeShown(true)}
        onSelect={(id) => dispatch({ do: 'select', tab: id })}
        onRename={(id, name) => dispatch({ do: 'rename', tab: id, name })}
        onMove={(id, before) => dispatch({ do: 'move', tab: id, before })}
        onClose={close}
        onClone={(id) => void clone(id)}
        onReconnect={(id) => space.tabs.find((one) => one.id === id)?.panes.forEach((one) => void reconnect(one))}
        onSplit={(id, direction) => void split(id, direction)}
        onNew={findAsset}
        onSettings={() => setShowSettings(true)}
        end={<AccountMenu />}
      />
      <main className="stage">
        <h1 className="unseen">{title}</h1>
        {space.tabs.length === 0 && (
          <NothingOpen busy={connector.step.at === 'loading'} files={files} onFind={findAsset} />
        )}
        <Panes
          space={space}
          settings={settings}
          handles={handles}
          dispatch={dispatch}
          onReconnect={(one) => void reconnect(one)}
          onFiles={({ target }) => connect(target.asset.id, { protocol: 'sftp', account: target.alias })}
          onClose={closePane}
        />
      </main>
      <footer className="foot">
        <span className="clip">{session().organization.name}</span>
        {tab && (
          <span className="wide">
            {t('sessionsCount', { here: runningPanes([tab]), all: runningPanes(space.tabs) })}
          </span>
        )}
        <div className="grow" />
        <span className="wide">{t('keysSplit')}</span>
        <span className="wide">{t('keysFind')}</span>
      </footer>
      <ConnectDialogs connector={connector} />
      <SettingsDialog
        open={showSettings}
        settings={settings}
        onChange={changeSettings}
        onClose={() => setShowSettings(false)}
      />
    </div>
  )
}

/** Asks for confirmation before running sessions are ended. */
function ending(running: number, end: () => void): void {
  if (running === 0) end()
  else
    confirm({
      title: t('closeRunning', { n: running }),
      text: t('closeRunningHelp'),
      verb: t('endSessions'),
      danger: true,
      run: async () => end(),
    })
}

function tokenOf({ tokenId, tokenValue, tokenExpires }: Pane) {
  return { tokenId, tokenValue, tokenExpires }
}

/** Opens a `jms://` address with the client on the user's machine. Whether one is installed cannot be detected. */
function openNative(url: string) {
  location.assign(url)
  toast.ok(t('clientStarted'))
}
