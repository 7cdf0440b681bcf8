/** The answer to a statement: rows, or how many it changed. */
export interface SqlAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly changed?: number | undefined
}
