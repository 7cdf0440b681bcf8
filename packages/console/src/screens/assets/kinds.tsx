/** Icons of asset categories and platforms. */
import { Bot, Cloud, Database, Globe, type LucideIcon, Monitor, Network, Puzzle, Server } from 'lucide-react'
import { type Row, rawOf } from '../../kit/row.ts'

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

/** Collection of a category: `host` → `hosts`. */
export const collectionOf = (row: Row): string => `${String(rawOf(row.category) ?? 'host')}s`
