import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { normalUuid } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { type Problem, quoted, text } from '../../../kernel/module/errors.ts'

export type StorageKind = 'command' | 'replay'
export const storageTable = (kind: StorageKind) => `terminal_${kind}storage`

/** Components refer to a storage by name or id; the name is stored. */
export const storageName =
  (kind: StorageKind) =>
  async (
    ctx: Context,
    values: readonly unknown[],
    problem: (index: number, problem: Problem) => void,
  ): Promise<unknown[]> => {
    const rows = await ctx.rawDb.selectFrom(storageTable(kind)).select(['id', 'name']).execute()
    return values.map((value, index) => {
      const id = normalUuid(value)
      const found = rows.find((row) => row.name === value || (id && row.id === id))
      if (!found) problem(index, [text(texts.storage_not_found, { name: quoted(value) })])
      return found?.name ?? value
    })
  }
