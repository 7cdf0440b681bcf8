import type { FileEntry } from '@castellan/contract/web-terminal'

export type SortKey = 'name' | 'size' | 'modified' | 'mode' | 'owner'
export interface Order {
  by: SortKey
  down: boolean
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Directories first in every order; equal values by name, for a stable order. */
export function sortEntries(entries: FileEntry[], { by, down }: Order): FileEntry[] {
  const sign = down ? -1 : 1
  return [...entries].sort((a, b) => {
    const folders = Number(b.type === 'directory') - Number(a.type === 'directory')
    if (folders) return folders
    const [x, y] = [a[by], b[by]]
    const first = typeof x === 'number' && typeof y === 'number' ? x - y : collator.compare(String(x), String(y))
    return sign * first || collator.compare(a.name, b.name)
  })
}
