import { type RawBuilder, sql } from 'kysely'
import type { DialectName } from './database.ts'

/**
 * Comparisons of a text column that both databases and JavaScript decide alike: by code points, case-sensitive, null like
 * an empty text.
 */
export type TextOperator = 'contains' | 'startswith' | 'endswith' | 'gte' | 'lte' | 'gt' | 'lt'

const order = { gte: '>=', lte: '<=', gt: '>', lt: '<' } as const
const isOrder = (operator: TextOperator): operator is keyof typeof order => operator in order

const textOf = (column: string) => sql<string>`coalesce(cast(${sql.ref(column)} as text), '')`

/** The condition in SQL. */
export function textCondition(
  dialect: DialectName,
  column: string,
  operator: TextOperator,
  value: string,
): RawBuilder<boolean> {
  const [text, given] = [textOf(column), sql<string>`cast(${value} as text)`]
  if (isOrder(operator)) {
    const bytewise = dialect === 'postgres' ? sql`collate "C"` : sql``
    return sql<boolean>`${text} ${bytewise} ${sql.raw(order[operator])} ${given}`
  }
  if (operator === 'startswith') return sql<boolean>`substr(${text}, 1, length(${given})) = ${given}`
  if (operator === 'endswith')
    return sql<boolean>`length(${text}) >= length(${given})
      and substr(${text}, length(${text}) - length(${given}) + 1) = ${given}`
  return dialect === 'postgres'
    ? sql<boolean>`strpos(${text}, ${given}) > 0`
    : sql<boolean>`instr(${text}, ${given}) > 0`
}

/** The same condition for a text. */
export function textMatches(text: string, operator: TextOperator, value: string): boolean {
  switch (operator) {
    case 'contains':
      return text.includes(value)
    case 'startswith':
      return text.startsWith(value)
    case 'endswith':
      return text.endsWith(value)
    default:
      return inOrder(Buffer.compare(Buffer.from(text), Buffer.from(value)), operator)
  }
}

/** Whether the result of a comparison (negative, zero, positive) satisfies an operator. */
export function inOrder(compared: number, operator: keyof typeof order): boolean {
  if (compared === 0) return operator === 'gte' || operator === 'lte'
  return compared > 0 === operator.startsWith('g')
}

/** SQLite only: the condition by a function of the connection (`re_matches`, `ip_matches`). */
export const functionCondition = (
  name: 're_matches' | 'ip_matches',
  column: string,
  value: unknown,
): RawBuilder<boolean> => sql<boolean>`${sql.raw(name)}(${sql.ref(column)}, ${JSON.stringify(value)}) = 1`
