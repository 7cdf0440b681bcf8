import type { Dispatch } from 'react'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { session } from '../../kit/session.ts'
import { GuidePane } from '../connect/GuidePane.tsx'
import type { TerminalSettings } from '../settings/preferences.ts'
import { Watermark } from '../Watermark.tsx'
import type { PaneHandles } from './handles.ts'
import { type Pane, paneGrid, type Workspace, type WorkspaceAction } from './model.ts'

// The terminal's code is larger than the rest: the tree loads first, and this loads while the user looks for a host.
const loadTerminal = () => import('../screen/TerminalPane.tsx')
const TerminalPane = lazyComponent(() => loadTerminal().then((module) => ({ default: module.TerminalPane })))
const FilePane = lazyComponent(() => import('../files/FilePane.tsx').then((module) => ({ default: module.FilePane })))
setTimeout(() => void loadTerminal(), 500)

export interface PanesProps {
  space: Workspace
  settings: TerminalSettings
  handles: PaneHandles
  dispatch: Dispatch<WorkspaceAction>
  onReconnect: (pane: Pane) => void
  onFiles: (pane: Pane) => void
  onClose: (pane: Pane) => void
}

/** All panes of all tabs. Hidden panes stay mounted, because their sessions continue. */
export function Panes({ space, settings, handles, dispatch, onReconnect, onFiles, onClose }: PanesProps) {
  return space.tabs.map((tab) => {
    const visible = tab.id === space.active
    const { columns, rows } = paneGrid(tab)
    const grid = {
      gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
      gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
    }
    return (
      <div key={tab.id} className="panes" role="tabpanel" style={grid} hidden={!visible}>
        {tab.panes.map((pane) => {
          const common = {
            pane,
            visible,
            active: pane.id === tab.active,
            closable: tab.panes.length > 1,
            settings,
            onState: (state: Pane['state']) => dispatch({ do: 'state', pane: pane.id, state }),
            onReconnect: () => onReconnect(pane),
            onClose: () => onClose(pane),
          }
          return (
            <section
              key={pane.id}
              className={`pane ${pane.id === tab.active ? 'on' : ''} is-${pane.kind}`}
              onPointerDownCapture={() => dispatch({ do: 'select', tab: tab.id, pane: pane.id })}
            >
              {pane.kind !== 'guide' && <Watermark lines={[whoAmI(), pane.target.asset.name]} />}
              {pane.kind === 'terminal' && (
                <TerminalPane
                  {...common}
                  handleOf={handles.set}
                  onFocus={() => dispatch({ do: 'select', tab: tab.id, pane: pane.id })}
                  onFiles={() => onFiles(pane)}
                />
              )}
              {pane.kind === 'files' && <FilePane {...common} />}
              {pane.kind === 'guide' && <GuidePane pane={pane} onRenew={common.onReconnect} onClose={common.onClose} />}
            </section>
          )
        })}
      </div>
    )
  })
}

function whoAmI(): string {
  const { name, username } = session().profile
  return `${name}(${username})`
}
