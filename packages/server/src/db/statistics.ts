/** Rows by which a table has to grow before it is looked at the first time: below that no plan is a bad one. */
const fewRows = 1000
/** What one transaction stores is counted when it has most likely ended. Milliseconds. */
const soon = 200

/**
 * Keeps what PostgreSQL knows of its tables in step with tables that grow quickly. Its own look comes once a minute; an
 * import fills a table with tens of thousands of rows meanwhile, and plans made for an empty table read all of it for
 * every few rows. A table is looked at each time it has grown to twice its size, so all looks together cost about as
 * much as the last one.
 */
export class TableStatistics {
  readonly #analyze: (table: string) => Promise<unknown>
  readonly #tables = new Map<string, { known: number; grown: number; due?: NodeJS.Timeout | undefined }>()

  /** @param analyze makes the database look at a table */
  constructor(analyze: (table: string) => Promise<unknown>) {
    this.#analyze = analyze
  }

  /** Notes how many rows a statement added. */
  note(statement: string, rows: number): void {
    const name = /^insert into "(\w+)"/.exec(statement)?.[1]
    if (!name) return
    const table = this.#tables.get(name) ?? { known: fewRows, grown: 0 }
    this.#tables.set(name, table)
    table.grown += rows
    if (table.due || table.grown < table.known) return
    table.due = setTimeout(() => {
      table.due = undefined
      table.known += table.grown
      table.grown = 0
      // The next doubling tries again; nothing but speed depends on it.
      void this.#analyze(name).catch(() => undefined)
    }, soon)
    table.due.unref()
  }

  /** Looks at nothing any more. */
  stop(): void {
    for (const { due } of this.#tables.values()) clearTimeout(due)
  }
}
