import type { DialectName } from '../database.ts'
import type { RowKey } from './changes.ts'

/** Numbers given at most to one table. */
const mostNumbers = 1_000_000

/** Numbers for the rows of one table, so that sets and orders of rows take little memory. */
export interface RowNumbers {
  readonly numberOf: (key: RowKey) => number
  readonly keyOf: (number: number) => RowKey
}

/** Rowids are numbers already. */
const rowids: RowNumbers = { numberOf: Number, keyOf: (number) => number }

class IdNumbers implements RowNumbers {
  readonly #numbers = new Map<RowKey, number>()
  readonly #keys: RowKey[] = []

  get isFull(): boolean {
    return this.#keys.length >= mostNumbers
  }

  readonly numberOf = (key: RowKey): number => {
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#keys.push(key) - 1
      this.#numbers.set(key, number)
    }
    return number
  }

  readonly keyOf = (number: number): RowKey => this.#keys[number] ?? ''
}

/** The numbers of all tables. What was cached with other numbers of a table must not be used any more. */
export class Numbering {
  readonly #dialect: DialectName
  readonly #tables = new Map<string, IdNumbers>()

  constructor(dialect: DialectName) {
    this.#dialect = dialect
  }

  of(table: string): RowNumbers {
    if (this.#dialect === 'sqlite') return rowids
    let known = this.#tables.get(table)
    // Deleted rows keep their numbers: too many are given up together.
    if (!known || known.isFull) {
      known = new IdNumbers()
      this.#tables.set(table, known)
    }
    return known
  }
}
