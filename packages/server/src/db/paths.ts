import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: the conditions fit a query on any tables; the columns are named by the caller
type Builder = ExpressionBuilder<any, any>

/**
 * "Strictly below" between two columns of type `path` whose steps are joined by `:`, as one range of an index:
 * `;` follows `:`, so everything below `1:0` lies between `1:0:` and `1:0;`.
 */
export const belowColumn = (eb: Builder, path: string, ancestor: string): ExpressionWrapper<never, never, SqlBool> =>
  eb.and([
    eb(path, '>=', sql`${sql.ref(ancestor)} || ':'`),
    eb(path, '<', sql`${sql.ref(ancestor)} || ';'`),
  ]) as unknown as ExpressionWrapper<never, never, SqlBool>
