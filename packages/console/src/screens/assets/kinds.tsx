/** Icons of asset categories and platforms. */
import { Bot, Cloud, createLucideIcon, Database, Globe, type LucideIcon, Monitor, Network, Puzzle } from 'lucide-react'
import { type Row, rawOf } from '../../kit/row.ts'

/** Lucide's server icon as a single path: it is in every row of the longest lists. */
const Server = createLucideIcon('server', [
  [
    'path',
    {
      key: 'all',
      d: 'M4 2h16a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zm0 12h16a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2zM6 6h.01M6 18h.01',
    },
  ],
])

const icons: Readonly<Record<string, LucideIcon>> = {
  host: Server,
  windows: Monitor,
  database: Database,
  device: Network,
  cloud: Cloud,
  web: Globe,
  gpt: Bot,
  custom: Puzzle,
}

export function KindIcon({ row, size = 16 }: { row: Row; size?: number }) {
  const type = rawOf(row.type)
  const Icon = icons[type === 'windows' ? 'windows' : String(rawOf(row.category) ?? 'host')] ?? Server
  return <Icon size={size} className="kind" />
}
