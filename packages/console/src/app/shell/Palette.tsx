/** Ctrl K: screens and objects by name. */
import { pathOf, viewOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { Box, FileText, Search, User } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import type { Page } from '../../kit/row.ts'
import { wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { features, mayUse } from '../features.ts'
import { views } from '../views.ts'
import type { TypeAhead } from './type-ahead.ts'

interface Hit {
  key: string
  title: string
  hint?: string
  icon: ReactNode
  to: string
  /** Opened in a page of its own by Ctrl Enter. */
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
  const [later, setLater] = useState('')
  const [lit, setLit] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setLater(text.trim()), 200)
    return () => clearTimeout(timer)
  }, [text])
  const found = useObjects(later)
  const needle = text.trim().toLowerCase()
  const screens: Hit[] = features
    .filter(
      (feature) =>
        (feature.menu || feature.path.endsWith('/create')) &&
        mayUse(feature) &&
        t(feature.title).toLowerCase().includes(needle),
    )
    .slice(0, needle ? 8 : 6)
    .map((feature) => {
      const view = views.find((facts) => facts.view === viewOf(feature.path))
      return {
        key: feature.path,
        title: t(feature.title),
        hint: view && t(view.title),
        icon: <FileText size={16} />,
        to: feature.path,
      }
    })
  const groups: [string, Hit[]][] = [
    [t('paletteScreens'), screens],
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
    go(hit.to)
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
      // What it is is seen; who hears it is told.
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
      {groups
        .filter(([, list]) => list.length > 0)
        .map(([title, list]) => (
          <section key={title}>
            <h2>{title}</h2>
            {list.map((hit) => (
              <a key={hit.key} href={`#${hit.to}`} className={hits[lit] === hit ? 'on' : ''} onClick={onClose}>
                {hit.icon}
                <span className="clip">
                  {hit.title} <small className="muted">{hit.hint}</small>
                </span>
              </a>
            ))}
          </section>
        ))}
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
