import type { Action } from '../../kernel/route.ts'

export const assetActions: readonly Action[] = []
export const collectionActions: readonly Action[] = []
