import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import { watchRows } from './change-feed.ts'
import type { Database, Db, DialectName, Tables } from './database.ts'
import { watchTables } from './list-cache/watched-tables.ts'
import type { Migration, MigrationTools } from './migration.ts'
import { migrations } from './migrations/index.ts'
import { type ColumnShape, columnTypeName, indexName } from './schema.ts'
import { createSearchIndex } from './search-index.ts'

function tools(db: Db, dialect: DialectName, warn: (sentence: string) => void): MigrationTools {
  const define = (shape: ColumnShape) => (build: ColumnDefinitionBuilder) => {
    let column = shape.nullable ? build : build.notNull()
    if (shape.references) column = column.references(shape.references).onDelete(shape.onDelete ?? 'restrict')
    return column
  }
  const made: MigrationTools = {
    db,
    dialect,
    async createTable(shape) {
      let table = db.schema.createTable(shape.name)
      for (const [name, column] of Object.entries(shape.columns)) {
        table =
          column.type === 'serial'
            ? table.addColumn(name, columnTypeName(dialect, 'serial'), (build) =>
                dialect === 'sqlite' ? build.primaryKey().autoIncrement() : build.primaryKey(),
              )
            : table.addColumn(name, columnTypeName(dialect, column.type), define(column))
      }
      if (!shape.primaryKey.some((name) => shape.columns[name]?.type === 'serial'))
        table = table.addPrimaryKeyConstraint(`pk_${shape.name}`, shape.primaryKey as string[] as never[])
      await table.execute()
      for (const columns of shape.unique) await made.createIndex(shape.name, columns, true)
      for (const columns of shape.indexes) await made.createIndex(shape.name, columns)
      if (shape.search) await made.createSearchIndex(shape.name, shape.search)
    },
    async addColumn(table, column, shape, fill) {
      // Existing rows need a value at once; both databases take it from the default.
      await db.schema
        .alterTable(table)
        .addColumn(column, columnTypeName(dialect, shape.type), (build) => {
          const defined = define(shape)(build)
          return fill === undefined ? defined : defined.defaultTo(fill)
        })
        .execute()
    },
    async dropColumn(table, column) {
      await db.schema.alterTable(table).dropColumn(column).execute()
    },
    async createIndex(table, columns, unique = false) {
      let index = db.schema
        .createIndex(indexName(table, columns, unique))
        .on(table)
        .columns(columns as string[])
      if (unique) index = index.unique()
      await index.execute()
    },
    async createSearchIndex(table, columns) {
      if (!(await createSearchIndex(db, dialect, table, columns)))
        warn(`This PostgreSQL does not allow the extension pg_trgm, so a search in ${table} reads the whole table.`)
    },
    watchRows: (watch) => watchRows(db, dialect, watch),
  }
  return made
}

/**
 * Migrates the database to the newest schema, each migration once, under a lock. Returns the names of the migrations it
 * ran. `warn` receives messages about features that the database lacks. `logs`: tables to which rows are added at a high
 * rate, whose changes are not followed on PostgreSQL.
 */
export async function migrate(
  database: Database,
  list: readonly Migration[] = migrations,
  { warn = console.warn, logs = [] }: { warn?: (sentence: string) => void; logs?: readonly string[] } = {},
): Promise<string[]> {
  return database.transaction(async (db) => {
    if (database.dialect === 'postgres') await sql`select pg_advisory_xact_lock(4242001)`.execute(db)
    await db.schema
      .createTable('kernel_migration')
      .ifNotExists()
      .addColumn('name', 'text', (c) => c.primaryKey())
      .execute()
    const done = new Set((await db.selectFrom('kernel_migration').select('name').execute()).map((row) => row.name))
    const known = new Set(list.map(({ name }) => name))
    const [newer] = [...done].filter((name) => !known.has(name))
    if (newer !== undefined)
      throw new Error(
        `This database was made by a newer version of Castellan (it knows ${newer}). Update this installation, or restore the backup made before that update.`,
      )
    const ran: string[] = []
    for (const migration of list) {
      if (done.has(migration.name)) continue
      await migration.up(tools(db as Kysely<Tables>, database.dialect, warn))
      await db.insertInto('kernel_migration').values({ name: migration.name }).execute()
      ran.push(migration.name)
    }
    await watchTables(db as Kysely<Tables>, database.dialect, new Set(logs))
    return ran
  })
}
