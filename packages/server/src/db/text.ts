import { type Expression, type RawBuilder, sql } from 'kysely'

/** The text of a column after a prefix. Databases count characters, JavaScript counts UTF-16 code units. */
export const tailAfter = (column: Expression<unknown>, prefix: string): RawBuilder<string> =>
  sql<string>`substr(${column}, ${sql.lit([...prefix].length + 1)})`

/** Concatenates a fixed text and an expression. */
export const concat = (start: string, rest: Expression<unknown>): RawBuilder<string> =>
  sql<string>`cast(${start} as text) || ${rest}`

/**
 * The condition "one path column is within the other's subtree" (the same path, or below it after a `:`), for joins of
 * paths with paths. Both columns are of type `path`, so `;` is the upper bound of everything below.
 */
export const withinPath = (inner: string, outer: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(inner)} = ${sql.ref(outer)} or (${sql.ref(inner)} >= ${sql.ref(outer)} || ':' and ${sql.ref(inner)} < ${sql.ref(outer)} || ';'))`

/** A condition that no row fulfills. */
export const noRow: RawBuilder<boolean> = sql<boolean>`1 = 0`
