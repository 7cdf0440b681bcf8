import { typeLabel } from '@castellan/contract/platforms'
import { headerCell, rowCells, templateFields } from '../../../kernel/files/cells.ts'
import { type EncryptedContent, encryptedContent } from '../../../kernel/files/protected-workbook.ts'
import type { Cells } from '../../../kernel/files/table-files.ts'
import { workbookStream } from '../../../kernel/files/workbook.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { serialize } from '../../../kernel/resource/serialize.ts'
import { accountSecret } from '../account-secrets.ts'

/** The part of each secret that a file holds. */
export type Half = 'whole' | 'first' | 'second'

/** Accounts that are read at a time, so that memory does not depend on their number. */
const pageSize = 200

/** A half of a secret, with asterisks for the other one. Characters as users count them. */
function halved(secret: string, half: Half): string {
  if (half === 'whole') return secret
  const characters = [...secret]
  const middle = Math.floor(characters.length / 2)
  return half === 'first'
    ? characters.slice(0, middle).join('') + '*'.repeat(characters.length - middle)
    : '*'.repeat(middle) + characters.slice(middle).join('')
}

const ofType = (ctx: Context, type: string, after: string) =>
  findAll(ctx, accountSecret, (query) =>
    query
      .where('a.type' as 't.id', '=', type)
      .where('t.id', '>', after)
      .orderBy('t.id')
      .limit(pageSize),
  )

/** The accounts of one type of assets with their secrets. Each account is logged as viewed. */
async function* pages(ctx: Context, type: string, fields: readonly string[], signal: AbortSignal) {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    signal.throwIfAborted()
    const rows = await ofType(ctx, type, after)
    const cells: Cells[] = []
    for (const wire of await serialize(ctx, accountSecret, rows, fields))
      cells.push(rowCells(ctx, accountSecret, fields, wire))
    if (cells.length > 0) yield cells
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.id
  }
}

/** How many accounts there are on assets of each type, for the types that have any. */
export async function amountsByType(ctx: Context, types: readonly string[]): Promise<Map<string, number>> {
  if (types.length === 0) return new Map()
  const rows = await ctx.rawDb
    .selectFrom('accounts_account as t')
    .innerJoin('assets_asset as a', 'a.id', 't.asset_id')
    .select(['a.type as type', (eb) => eb.fn.countAll().as('count')])
    .where('t.org_id', '=', ctx.orgId)
    .where('a.type', 'in', [...types])
    .groupBy('a.type')
    .execute()
  return new Map(rows.map(({ type, count }) => [String(type), Number(count)]))
}

/** Sheet names may not have every character, nor be longer than 31. */
function sheetNames(ctx: Context, types: readonly string[]): string[] {
  const used = new Set<string>()
  return types.map((type, index) => {
    const plain = typeLabel(type, ctx.language).replace(/[^\p{L}\p{N}_ -]/gu, '_')
    const name = [...plain].slice(0, 24).join('')
    const unique = name === '' || used.has(name.toLowerCase()) ? `${name}${index + 1}` : name
    used.add(unique.toLowerCase())
    return unique
  })
}

async function* halvedRows(source: AsyncIterable<Cells[]>, half: Half, column: number): AsyncGenerator<Cells> {
  for await (const rows of source)
    for (const cells of rows) yield cells.map((cell, index) => (index === column ? halved(cell, half) : cell))
}

/**
 * The workbooks of a backup, one sheet for each type of assets, encrypted while they are written. Both halves are
 * written from the same reading, so that they belong together even if a secret changes meanwhile.
 * @returns by half
 */
export async function backupFiles(
  ctx: Context,
  {
    types,
    halves,
    folder,
    signal,
  }: { types: readonly string[]; halves: readonly Half[]; folder: string; signal: AbortSignal },
): Promise<Map<Half, EncryptedContent>> {
  const fields = templateFields(ctx, accountSecret, 'export')
  const header = fields.map((name) => headerCell(ctx, accountSecret, name))
  const column = fields.indexOf('secret')
  const names = sheetNames(ctx, types)
  const readings = new Map<string, ReadableStream<Cells[]>[]>()
  const readingOf = (type: string): AsyncIterable<Cells[]> => {
    let waiting = readings.get(type)
    if (!waiting) {
      const source = ReadableStream.from(pages(ctx, type, fields, signal)) as ReadableStream<Cells[]>
      waiting = halves.length === 1 ? [source] : [...source.tee()]
      readings.set(type, waiting)
    }
    return waiting.shift() as unknown as AsyncIterable<Cells[]>
  }
  async function* rowsOf(type: string, half: Half) {
    yield* halvedRows(readingOf(type), half, column)
  }
  const files = await Promise.allSettled(
    halves.map(async (half): Promise<[Half, EncryptedContent]> => {
      const sheets = types.map((type, index) => ({ name: names[index] as string, header, rows: rowsOf(type, half) }))
      return [half, await encryptedContent(await workbookStream(sheets), folder)]
    }),
  )
  const failed = files.find((file) => file.status === 'rejected')
  if (!failed) return new Map(files.map((file) => (file as PromiseFulfilledResult<[Half, EncryptedContent]>).value))
  for (const file of files) if (file.status === 'fulfilled') await file.value[1].close()
  throw failed.reason
}
