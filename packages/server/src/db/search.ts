import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DialectName } from './database.ts'

const escaped = (term: string) => term.replace(/[\\%_]/g, '\\$&')

function like(dialect: DialectName, column: Expression<unknown>, pattern: string): RawBuilder<SqlBool> {
  return dialect === 'postgres'
    ? sql<SqlBool>`lower(${column}) like lower(${pattern}) escape '\\'`
    : sql<SqlBool>`${column} like ${pattern} escape '\\'`
}

/** Case-insensitive "contains"; the term is taken literally. */
export const contains = (dialect: DialectName, column: Expression<unknown>, term: string) =>
  like(dialect, column, `%${escaped(term)}%`)

/** Case-insensitive "starts with"; the term is taken literally. */
export const startsWith = (dialect: DialectName, column: Expression<unknown>, term: string) =>
  like(dialect, column, `${escaped(term)}%`)

/** Case-insensitive "ends with"; the term is taken literally. */
export const endsWith = (dialect: DialectName, column: Expression<unknown>, term: string) =>
  like(dialect, column, `%${escaped(term)}`)
