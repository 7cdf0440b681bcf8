/** Usernames that the chosen assets of a form have. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { audience } from '../../api/metadata.ts'
import { useDebounced } from '../../use-debounced.ts'
import type { Values } from '../spec.ts'
import { idsOf } from './names.ts'

/** Maximum number of chosen assets in the request. */
const mostAsked = 20

/** Usernames on the chosen assets that match the typed text; not loaded before the list opens. */
export function useSuggestions(typed: string | undefined, { assets, nodes }: Values): readonly string[] {
  const username = useDebounced(typed, 240)
  const body = { username, assets: idsOf(assets).slice(0, mostAsked), nodes: idsOf(nodes).slice(0, mostAsked) }
  const answer = useQuery({
    queryKey: ['usernames', JSON.stringify(body), ...audience()],
    enabled: username !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }) =>
      call<string[]>('/api/v1/accounts/accounts/username-suggestions/', { method: 'POST', body, quiet: true, signal }),
  })
  return answer.data ?? []
}
