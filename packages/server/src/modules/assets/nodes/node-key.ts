import type { ExpressionBuilder } from 'kysely'
import { withinPath } from '../../../db/text.ts'

// biome-ignore lint/suspicious/noExplicitAny: the conditions fit a query on any tables; the column is named by the caller
type Builder = ExpressionBuilder<any, any>

/**
 * A node's key encodes its position: integers joined by `:`, the organization's root first (`2`, `2:0`, `2:0:3`). A
 * subtree is one range of keys, because `;` follows `:`.
 */
export const isRootKey = (key: string): boolean => /^\d+$/.test(key)

export const parentKey = (key: string): string => key.split(':').slice(0, -1).join(':')

/** The keys of a node and its ancestors up to the root. */
export function lineage(key: string): string[] {
  const parts = key.split(':')
  return parts.map((_part, index) => parts.slice(0, parts.length - index).join(':'))
}

export const isBelow = (key: string, ancestor: string): boolean => key.startsWith(`${ancestor}:`)
export const isWithin = (key: string, ancestor: string): boolean => key === ancestor || isBelow(key, ancestor)

/** Keys of a subtree as index ranges: the node's own key, and everything from `from` up to `to`. */
export const subtreeRange = (key: string) => ({ own: key, from: `${key}:`, to: `${key};` })

/** The condition "within the subtree of a node", for a query in which `column` is a node's key. */
export function subtree(key: string, column = 'key') {
  const { own, from, to } = subtreeRange(key)
  return (eb: Builder) => eb.or([eb(column, '=', own), eb.and([eb(column, '>=', from), eb(column, '<', to)])])
}

/** The condition "strictly below a node". */
export function belowNode(key: string, column = 'key') {
  const { from, to } = subtreeRange(key)
  return (eb: Builder) => eb.and([eb(column, '>=', from), eb(column, '<', to)])
}

/** The condition "one node's key column is within the subtree of another's", for joins of nodes with nodes. */
export const withinOther = withinPath

/** Keys without an ancestor in the list: subtrees that do not overlap. */
export function outermost(keys: readonly string[]): string[] {
  const result: string[] = []
  for (const key of [...new Set(keys)].sort((a, b) => a.length - b.length))
    if (!result.some((one) => isWithin(key, one))) result.push(key)
  return result
}
