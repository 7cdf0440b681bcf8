/** Command palette (Ctrl K): screens and objects by name. */
import { pathOf, viewOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { Box, FileText, Search, User } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { type Page, wordOf } from '../../kit/row.ts'
import { openExternal } from '../../kit/screen.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { useDebounced } from '../../kit/use-debounced.ts'
import { mayUse, screens } from '../screens.ts'
import { views } from '../views.ts'
import type { TypeAhead } from './type-ahead.ts'

interface Hit {
  key: string
  title: string
  hint?: string
  icon: ReactNode
  to: string
  /** URL path opened in a new tab instead of `to`. */
  external?: string
  /** Opened in a separate tab by Ctrl Enter. */
  connect?: string
}

const objects = [
  {
    group: 'paletteAssets',
    url: '/api/v1/assets/assets/',
    permission: 'assets.view_asset',
    path: pathOf('AssetList'),
    hint: 'address',
    icon: <Box size={16} />,
    connect: (id: string) => `/luna/?login_to=${id}`,
  },
  {
    group: 'paletteUsers',
    url: '/api/v1/users/users/',
    permission: 'users.view_user',
    path: pathOf('UserList'),
    hint: 'username',
    icon: <User size={16} />,
    connect: undefined,
  },
] as const

function useObjects(text: string) {
  return useQuery({
    queryKey: ['palette', text, ...audience()],
    enabled: text.length > 1,
    queryFn: async () => {
      const allowed = objects.filter((kind) => can(kind.permission))
      const pages = await Promise.all(
        allowed.map((kind) =>
          call<Page>(kind.url, {
            query: { search: text, limit: 5, offset: 0, fields_size: 'mini' },
            quiet: true,
          }).catch(() => ({ results: [] })),
        ),
      )
      return allowed.map((kind, i) => ({ kind, rows: pages[i]?.results ?? [] }))
    },
  })
}

export default function Palette({ typed, onClose }: { typed: TypeAhead; onClose: () => void }) {
  const go = useNavigate()
  const [text, setText] = useState('')
  const [lit, setLit] = useState(0)
  const menu = useId()
  const found = useObjects(useDebounced(text.trim(), 200))
  const needle = text.trim().toLowerCase()
  const pages: Hit[] = screens
    .filter(
      (screen) =>
        (screen.menu || screen.path.endsWith('/create')) &&
        mayUse(screen) &&
        t(screen.title).toLowerCase().includes(needle),
    )
    .slice(0, needle ? 8 : 6)
    .map((screen) => {
      const view = views.find((facts) => facts.view === viewOf(screen.path))
      return {
        key: screen.path,
        title: t(screen.title),
        hint: view && t(view.title),
        icon: <FileText size={16} />,
        to: screen.path,
        external: screen.external,
      }
    })
  const groups: [string, Hit[]][] = [
    [t('paletteScreens'), pages],
    ...(found.data ?? []).map(({ kind, rows }): [string, Hit[]] => [
      t(kind.group),
      rows.map((row) => ({
        key: row.id,
        title: wordOf(row.name),
        hint: wordOf(row[kind.hint]),
        icon: kind.icon,
        to: `${kind.path}/${row.id}`,
        connect: can('rbac.view_webterminal') ? kind.connect?.(row.id) : undefined,
      })),
    ]),
  ]
  const hits = groups.flatMap(([, list]) => list)
  const open = (hit: Hit | undefined) => {
    if (!hit) return
    onClose()
    if (hit.external) openExternal(hit.external)
    else go(hit.to)
  }
  const connect = (hit: Hit | undefined) => {
    if (!hit?.connect) return open(hit)
    onClose()
    window.open(hit.connect, '_blank', 'noopener')
    return undefined
  }
  return (
    <Modal
      open
      width={600}
      className="palette-dialog"
      // The type is visible as an icon; screen readers get it as text.
      title={t('paletteHint')}
      classNames={{ header: 'unseen' }}
      footer={null}
      closable={false}
      onCancel={onClose}
      styles={{ body: { padding: 0 } }}
    >
      <div className="palette-input">
        <Search size={16} />
        <input
          // biome-ignore lint/a11y/noAutofocus: the palette is this field
          autoFocus
          value={text}
          onFocus={() => setText((now) => now + typed.take())}
          placeholder={t('paletteHint')}
          aria-label={t('paletteHint')}
          role="combobox"
          aria-expanded={hits.length > 0}
          aria-controls={menu}
          aria-activedescendant={hits[lit] && `${menu}-${hits[lit].key}`}
          onChange={(event) => {
            setText(event.target.value)
            setLit(0)
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'ArrowDown') setLit(Math.min(hits.length - 1, lit + 1))
            else if (event.key === 'ArrowUp') setLit(Math.max(0, lit - 1))
            else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) connect(hits[lit])
            else if (event.key === 'Enter') open(hits[lit])
            else return
            event.preventDefault()
          }}
        />
        <kbd className="wide-only">Esc</kbd>
      </div>
      <div id={menu} role="listbox" aria-label={t('paletteHint')}>
        {groups
          .filter(([, list]) => list.length > 0)
          .map(([title, list]) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, which a fieldset is not
            <section role="group" key={title} aria-label={title}>
              <p aria-hidden>{title}</p>
              {list.map((hit) => (
                <a
                  key={hit.key}
                  id={`${menu}-${hit.key}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={hits[lit] === hit}
                  href={`#${hit.to}`}
                  className={hits[lit] === hit ? 'on' : ''}
                  onClick={(event) => {
                    if (!hit.external) return onClose()
                    event.preventDefault()
                    return open(hit)
                  }}
                >
                  {hit.icon}
                  <span className="clip">
                    {hit.title} <small className="muted">{hit.hint}</small>
                  </span>
                </a>
              ))}
            </section>
          ))}
      </div>
      {hits.length === 0 && <p className="muted palette-none">{found.isFetching ? t('loading') : t('nothingFound')}</p>}
      <footer className="wide-only">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {t('paletteMove')}
        </span>
        <span>
          <kbd>Enter</kbd> {t('paletteOpen')}
        </span>
        {hits[lit]?.connect && (
          <span>
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> {t('paletteConnect')}
          </span>
        )}
      </footer>
    </Modal>
  )
}
