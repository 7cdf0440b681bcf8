import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { displayName } from '../session-facts.ts'
import type { Page, SessionRow } from '../wire.ts'

const path = '/api/v1/assets/favorite-assets/'
const favoritesKey = ['terminal', 'favorites']
const recentKey = ['terminal', 'recent']
const recentShown = 8

/**
 * The user's favorite assets, and a function to add or remove one; `onChange` is called after the server has saved it.
 */
export function useFavorites(onChange: () => void) {
  const client = useQueryClient()
  const { data = [] } = useQuery({
    queryKey: favoritesKey,
    queryFn: async () => (await call<{ asset: string }[]>(path, { quiet: true })).map((row) => row.asset),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { mutate: toggle } = useMutation({
    mutationFn: (asset: string) =>
      data.includes(asset)
        ? call(path, { method: 'DELETE', query: { asset } })
        : call(path, { method: 'POST', body: { asset } }),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: favoritesKey })
      onChange()
    },
  })
  return { favorites: data, toggle }
}

export interface RecentAsset {
  id: string
  name: string
}

/** Assets of the last sessions, newest first, without duplicates. */
export function useRecent() {
  const client = useQueryClient()
  const { data = [] } = useQuery({
    queryKey: recentKey,
    queryFn: async () => {
      const page = await call<Page<SessionRow>>('/api/v1/terminal/my-sessions/', {
        query: { limit: 50, offset: 0 },
        quiet: true,
      })
      return recentAssets(page.results)
    },
  })
  return { recent: data, refresh: () => void client.invalidateQueries({ queryKey: recentKey }) }
}

/** Sessions record their asset as `name(address)`. */
function recentAssets(rows: Pick<SessionRow, 'asset' | 'asset_id'>[]): RecentAsset[] {
  const seen = new Map<string, RecentAsset>()
  for (const { asset, asset_id: id } of rows) {
    if (id && !seen.has(id)) seen.set(id, { id, name: displayName(asset) })
  }
  return [...seen.values()].slice(0, recentShown)
}
