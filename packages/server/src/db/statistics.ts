/** Rows by which a table has to grow before it is looked at: below that no plan is a bad one. */
const fewRows = 1000
/** What one transaction stores is counted when it has most likely ended. Milliseconds. */
const soon = 200

/** What a database can be asked about a table. */
export interface Looking {
  /** Rows it had when the database last looked at it; negative when that never was. */
  rowsKnown(table: string): Promise<number>
  /** Makes the database look at it. */
  analyze(table: string): Promise<unknown>
}

interface Growing {
  /** Rows by which it has to grow before it is asked about again. */
  enough: number
  grown: number
  due?: NodeJS.Timeout | undefined
}

/**
 * Keeps what PostgreSQL knows of its tables in step with tables that grow quickly. Its own look comes once a minute; an
 * import fills a table with tens of thousands of rows meanwhile, and plans made for an empty table read all of it for
 * every few rows. A table is looked at each time it has grown to twice its size, so all looks together cost about as
 * much as the last one.
 */
export class TableStatistics {
  readonly #looking: Looking
  readonly #tables = new Map<string, Growing>()

  constructor(looking: Looking) {
    this.#looking = looking
  }

  /** Notes how many rows a statement added. */
  note(statement: string, rows: number): void {
    const name = /^insert into "(\w+)"/.exec(statement)?.[1]
    if (!name) return
    const table = this.#tables.get(name) ?? { enough: fewRows, grown: 0 }
    this.#tables.set(name, table)
    table.grown += rows
    if (table.due || table.grown < table.enough) return
    table.due = setTimeout(() => {
      table.due = undefined
      // The next time tries again; nothing but speed depends on it.
      void this.#look(name, table).catch(() => undefined)
    }, soon)
    table.due.unref()
  }

  async #look(name: string, table: Growing): Promise<void> {
    const { grown } = table
    // Servers that start anew, and others beside this one, must not look at what is known well enough.
    const known = Math.max(fewRows, await this.#looking.rowsKnown(name))
    table.enough = known
    if (grown < known) return
    table.enough = known + grown
    table.grown -= grown
    await this.#looking.analyze(name)
  }

  /** Looks at nothing any more. */
  stop(): void {
    for (const { due } of this.#tables.values()) clearTimeout(due)
  }
}
