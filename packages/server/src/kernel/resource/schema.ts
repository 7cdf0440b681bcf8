import type { Database } from '../../db/database.ts'
import { changeTable } from '../../db/list-cache/postgres-changes.ts'
import { editTable, revisionTable } from '../../db/list-cache/sqlite-changes.ts'
import { indexName, type TableShape } from '../../db/schema.ts'
import { canSearchByIndex, searchIndexName, searchIndexParts } from '../../db/search-index.ts'
import type { Module } from '../module/module.ts'
import { kernelTables } from './tables.ts'

/** The tables of all declarations, each after the tables it references. */
export function declaredTables(modules: readonly Module[]): TableShape[] {
  const tables = new Map<string, TableShape>()
  const take = (shape: TableShape) => {
    const known = tables.get(shape.name)
    tables.set(shape.name, known ? { ...known, columns: { ...known.columns, ...shape.columns } } : shape)
  }
  for (const table of kernelTables) take(table)
  for (const { resources = [], tables: own = [] } of modules) {
    for (const resource of resources) {
      take(resource.shape)
      for (const { field: _field, ...join } of resource.joins) take(join)
    }
    for (const table of own) take(table)
  }
  return inOrder([...tables.values()])
}

function inOrder(tables: TableShape[]): TableShape[] {
  const done: TableShape[] = []
  const placed = new Set<string>()
  const place = (table: TableShape, path: readonly string[]) => {
    if (placed.has(table.name)) return
    if (path.includes(table.name))
      throw new Error(`Tables reference each other in a circle: ${[...path, table.name].join(' → ')}`)
    for (const column of Object.values(table.columns)) {
      const name = column.references?.split('.')[0]
      const other = name === table.name ? undefined : tables.find((one) => one.name === name)
      if (other) place(other, [...path, table.name])
    }
    placed.add(table.name)
    done.push(table)
  }
  for (const table of tables) place(table, [])
  return done
}

export interface SchemaDifference {
  missingTables: TableShape[]
  missingColumns: { table: string; column: string }[]
  missingIndexes: { table: string; columns: readonly string[]; unique: boolean }[]
  missingSearch: { table: string; columns: readonly string[] }[]
  /** In the database, but not declared. */
  surplus: string[]
}

/** The differences between a migrated database and the declarations. */
export async function schemaDifference(database: Database, declared: readonly TableShape[]): Promise<SchemaDifference> {
  const actual = new Map((await database.writer.introspection.getTables()).map((table) => [table.name, table]))
  const indexes = await indexNames(database)
  const difference: SchemaDifference = {
    missingTables: [],
    missingColumns: [],
    missingIndexes: [],
    missingSearch: [],
    surplus: [],
  }
  const searchable = await canSearchByIndex(database.writer, database.dialect)
  for (const table of declared) {
    const found = actual.get(table.name)
    if (!found) {
      difference.missingTables.push(table)
      continue
    }
    const columns = new Set(found.columns.map((column) => column.name))
    for (const column of Object.keys(table.columns))
      if (!columns.delete(column)) difference.missingColumns.push({ table: table.name, column })
    difference.surplus.push(...[...columns].map((column) => `${table.name}.${column}`))
    for (const [list, unique] of [
      [table.unique, true],
      [table.indexes, false],
    ] as const)
      for (const set of list)
        if (!indexes.has(indexName(table.name, set, unique)))
          difference.missingIndexes.push({ table: table.name, columns: set, unique })
    if (table.search && searchable && !indexes.has(searchIndexName(table.name)))
      difference.missingSearch.push({ table: table.name, columns: table.search })
  }
  const names = new Set(declared.flatMap(({ name, search }) => [name, ...(search ? searchIndexParts(name) : [])]))
  const own = new Set(['kernel_migration', revisionTable, editTable, changeTable])
  for (const name of actual.keys())
    if (!names.has(name) && !own.has(name) && !name.startsWith('sqlite_')) difference.surplus.push(name)
  return difference
}

async function indexNames(database: Database): Promise<Set<string>> {
  const rows =
    database.dialect === 'sqlite'
      ? await database.writer.selectFrom('sqlite_master').select('name').execute()
      : await database.writer
          .selectFrom('pg_indexes')
          .select('indexname as name')
          .where('schemaname', '=', 'public')
          .execute()
  return new Set(rows.map((row) => String(row.name)))
}
