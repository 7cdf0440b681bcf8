/** Growth in rows below which a table is not analyzed: no plan can be bad at that size. */
const fewRows = 1000
/** Delay after which the inserting transaction has most likely ended. Milliseconds. */
const soon = 200

/** Operations on a database's table statistics. */
export interface Looking {
  /** Row count at the last analysis; negative if there was none. */
  rowsKnown(table: string): Promise<number>
  /** Analyzes the table. */
  analyze(table: string): Promise<unknown>
}

interface Growing {
  /** Growth in rows after which the table is checked again. */
  enough: number
  grown: number
  due?: NodeJS.Timeout | undefined
}

/**
 * Keeps PostgreSQL's statistics current for tables that grow quickly. Autovacuum runs once a minute; an import inserts
 * tens of thousands of rows meanwhile, and plans made for an empty table read all of it for every few rows. A table is
 * analyzed each time it has doubled, so all analyses together cost about as much as the last one.
 */
export class TableStatistics {
  readonly #looking: Looking
  readonly #tables = new Map<string, Growing>()

  constructor(looking: Looking) {
    this.#looking = looking
  }

  /** Records how many rows a statement inserted. */
  note(statement: string, rows: number): void {
    const name = /^insert into "(\w+)"/.exec(statement)?.[1]
    if (!name) return
    const table = this.#tables.get(name) ?? { enough: fewRows, grown: 0 }
    this.#tables.set(name, table)
    table.grown += rows
    if (table.due || table.grown < table.enough) return
    table.due = setTimeout(() => {
      table.due = undefined
      // The next check tries again; only speed depends on it.
      void this.#look(name, table).catch(() => undefined)
    }, soon)
    table.due.unref()
  }

  async #look(name: string, table: Growing): Promise<void> {
    const { grown } = table
    // After a restart, or with other servers running, statistics that are good enough must not be renewed.
    const known = Math.max(fewRows, await this.#looking.rowsKnown(name))
    table.enough = known
    if (grown < known) return
    table.enough = known + grown
    table.grown -= grown
    await this.#looking.analyze(name)
  }

  /** Cancels pending checks. */
  stop(): void {
    for (const { due } of this.#tables.values()) clearTimeout(due)
  }
}
