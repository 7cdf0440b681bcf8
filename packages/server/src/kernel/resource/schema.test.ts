import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { modules } from '../../modules.ts'
import { databaseOfThisRun, emptyPostgres } from '../../testing/databases.ts'
import { declaredTables, schemaDifference } from './schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'castellan-schema-'))
let database: Database
let drop = async () => {}

beforeAll(async () => {
  const postgres = databaseOfThisRun() === 'postgresql' ? await emptyPostgres() : undefined
  if (postgres) drop = postgres.drop
  database = await openDatabase({ url: postgres?.url, dataDir: folder })
})

afterAll(async () => {
  await database.close()
  await drop()
  rmSync(folder, { recursive: true, force: true })
})

describe('tables', () => {
  it('have an index for every foreign key that deletes look up', () => {
    const unfound = declaredTables(modules).flatMap(({ name, columns, primaryKey, unique, indexes }) => {
      const first = new Set([primaryKey, ...unique, ...indexes].map(([column]) => column))
      return Object.entries(columns).flatMap(([column, { references }]) =>
        references && !first.has(column) ? [`${name}.${column}`] : [],
      )
    })
    expect(unfound).toEqual([])
  })
})

describe('migrations', () => {
  it('create exactly the declared tables, columns and indexes', async () => {
    await migrate(database)
    const difference = await schemaDifference(database, declaredTables(modules))
    const found = { ...difference, missingTables: difference.missingTables.map(({ name }) => name) }
    expect(found, '`npm run migration -- <slug>` writes a migration for it into db/migrations').toEqual({
      missingTables: [],
      missingColumns: [],
      missingIndexes: [],
      missingSearch: [],
      surplus: [],
    })
  })

  it('run once each, in the order of their names', async () => {
    expect(await migrate(database)).toEqual([])
    const names = migrations.map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
  })

  if (databaseOfThisRun() === 'postgresql')
    it('make PostgreSQL compare ids byte by byte, also in databases with another collation', async () => {
      const ids = declaredTables(modules).flatMap(({ name, columns }) =>
        Object.entries(columns).flatMap(([column, { type }]) => (type === 'uuid' ? [`${name}.${column}`] : [])),
      )
      const bytewise = async () => {
        const { rows } = await sql<{ column: string }>`
          select table_name || '.' || column_name as "column" from information_schema.columns
          where table_schema = current_schema() and collation_name = 'C'`.execute(database.writer)
        return rows.map(({ column }) => column)
      }
      expect(await bytewise()).toEqual(expect.arrayContaining(ids))
      await sql`alter table users_user alter column id type text collate "default"`.execute(database.writer)
      expect(await bytewise()).not.toContain('users_user.id')
      await sql`delete from kernel_migration where name = '20261122145500-ids-by-bytes'`.execute(database.writer)
      await migrate(database)
      expect(await bytewise()).toEqual(expect.arrayContaining(ids))
    })
})
