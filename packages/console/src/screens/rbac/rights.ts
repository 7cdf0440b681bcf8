/** Loads the permissions of a role. */
import { roleIds } from '@castellan/contract/ids'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import type { TreeNode } from '../../kit/tree/nodes.ts'
import { leavesOf, type Right, rightsTree } from './permission-tree.ts'
import type { Scope } from './roles.tsx'

export const roleUrl = (scope: Scope, id: string): string => `/api/v1/rbac/${scope}-roles/${id}/`

/** A role whose tree contains all permissions of its scope: the server has trees of roles only. */
const anyRole: Readonly<Record<Scope, string>> = { system: roleIds.user, org: roleIds.orgUser }

const read = (url: string) => call<TreeNode[]>(`${url}permissions/tree/`, { quiet: true })

const tickedOf = (rights: readonly Right[]): Set<string> =>
  new Set(leavesOf(rights).flatMap((leaf) => (leaf.checked ? [leaf.id] : [])))

/** Permission numbers for the server, from leaf ids. */
export const asSent = (ids: Iterable<string>): (number | string)[] =>
  [...ids].map((id) => (/^\d+$/.test(id) ? Number(id) : id))

/** The tree of a role with its selected permissions. Without a role, all permissions of the scope, none selected. */
export function useRights(scope: Scope, id: string | undefined) {
  const url = roleUrl(scope, id ?? anyRole[scope])
  const query = useQuery({
    queryKey: ['role-rights', url, ...audience()],
    queryFn: () => read(url),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const rights = useMemo(() => rightsTree(query.data ?? []), [query.data])
  const held = useMemo(() => (id ? tickedOf(rights) : new Set<string>()), [id, rights])
  return { query, rights, held }
}

/** The permissions of a role, for a copy. */
export const rightsOf = async (scope: Scope, id: string): Promise<(number | string)[]> =>
  asSent(tickedOf(rightsTree(await read(roleUrl(scope, id)))))
