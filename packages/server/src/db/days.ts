import { type Expression, type RawBuilder, sql } from 'kysely'

const day = 86_400_000

/** The day number since 1970 of a timestamp in unix milliseconds, for a zone `offset` milliseconds east of UTC. */
export const dayNumber = (column: Expression<unknown>, offset: number): RawBuilder<number> =>
  sql<number>`cast((${column} + ${sql.lit(offset)}) / ${sql.lit(day)} as integer)`
