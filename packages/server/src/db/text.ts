import { type Expression, type RawBuilder, sql } from 'kysely'

/** The text of a column after a prefix it starts with. Databases count characters, JavaScript counts code units. */
export const tailAfter = (column: Expression<unknown>, prefix: string): RawBuilder<string> =>
  sql<string>`substr(${column}, ${sql.lit([...prefix].length + 1)})`

/** A fixed text followed by an expression. */
export const concat = (start: string, rest: Expression<unknown>): RawBuilder<string> =>
  sql<string>`cast(${start} as text) || ${rest}`
