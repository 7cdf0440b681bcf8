/** WebSockets that one user may have open in a program. A window of the console has a few. */
export const mostSocketsOfUser = 100
/** The same for one signed-in browser. */
export const mostSocketsOfSession = 50

/** Counts open WebSockets by who opened them, so that nobody takes the connections of all others. */
export class OpenSockets {
  readonly #open = new Map<string, number>()

  /**
   * Takes a place for each of `who`.
   * @param who with the most that each may have
   * @returns gives the places back, once; undefined when one of them has no more
   */
  take(who: readonly (readonly [name: string, most: number])[]): (() => void) | undefined {
    if (who.some(([name, most]) => (this.#open.get(name) ?? 0) >= most)) return undefined
    for (const [name] of who) this.#open.set(name, (this.#open.get(name) ?? 0) + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      for (const [name] of who) {
        const left = (this.#open.get(name) ?? 1) - 1
        if (left > 0) this.#open.set(name, left)
        else this.#open.delete(name)
      }
    }
  }
}

/** The answer to an upgrade that is refused with a text that says what to do. */
export function refusedUpgrade(status: string, detail: string, code: string): string {
  const body = JSON.stringify({ detail, code })
  const length = Buffer.byteLength(body)
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`
}
