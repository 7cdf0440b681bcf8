import { type Expression, type RawBuilder, sql } from 'kysely'

const day = 86_400_000

/** The number of the day, counted from 1970, that a moment in unix milliseconds falls on `offset` milliseconds east of UTC. */
export const dayNumber = (column: Expression<unknown>, offset: number): RawBuilder<number> =>
  sql<number>`cast((${column} + ${sql.lit(offset)}) / ${sql.lit(day)} as integer)`
