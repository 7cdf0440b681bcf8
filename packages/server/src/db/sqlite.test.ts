import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, type SelectQueryBuilder } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteFile, sqliteDialect } from './sqlite.ts'

interface Tables {
  thing: { id: string; org_id: string; name: string; asset_id: string }
}

describe('SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-sqlite-'))
  const raw = openSqliteFile(join(folder, 'test.db'))
  const db = new Kysely<Tables>({ dialect: sqliteDialect(raw) })
  beforeAll(() => {
    raw.exec('create table thing (id text primary key, org_id text, name text, asset_id text)')
    raw.exec('create index by_name on thing (org_id, name)')
    raw.exec('create index by_asset on thing (asset_id)')
  })
  afterAll(async () => {
    await db.destroy()
    rmSync(folder, { recursive: true })
  })

  const plan = (query: SelectQueryBuilder<Tables, 'thing', object>): string => {
    const { sql, parameters } = query.compile()
    return raw
      .prepare(`explain query plan ${sql}`)
      .all(...(parameters as string[]))
      .map(({ detail }) => detail)
      .join('; ')
  }
  const mine = db.selectFrom('thing').selectAll().where('org_id', '=', 'mine')

  it('reads named rows by their ids, however many others their organization has', () => {
    for (const length of [1, 20, 2000]) {
      const ids = Array.from({ length }, (_, at) => `id ${at}`)
      expect(plan(mine.where('id', 'in', ids))).toMatch(/^SEARCH thing USING INDEX sqlite_autoindex_thing_1 \(id=\?\)/)
    }
  })

  it('reads the rows of an asset by it, however many others their organization has', () => {
    for (const length of [1, 20, 2000]) {
      const ids = Array.from({ length }, (_, at) => `id ${at}`)
      expect(plan(mine.where('asset_id', 'in', ids))).toMatch(/^SEARCH thing USING INDEX by_asset \(asset_id=\?\)/)
    }
    expect(plan(mine.where('asset_id', '=', 'one').orderBy('name'))).toMatch(/^SEARCH thing USING INDEX by_asset/)
  })

  it('reads a page of an organization in the order of its index, where a relation may be of most rows', () => {
    expect(plan(mine.where('asset_id', '=', 'one').orderBy('name').limit(15))).not.toContain('TEMP B-TREE')
  })

  it('reads an organization in the order of its index, where a subquery says which rows', () => {
    const some = db.selectFrom('thing as other').select('other.id').where('other.name', '>', 'a')
    expect(plan(mine.where('id', 'in', some).orderBy('name').limit(15))).not.toContain('TEMP B-TREE')
  })
})
