/** Hosts that begin together at first, and once one of them has answered. */
const first = 2
const most = 12
/** Hosts that begin at once then: what they need is read for all of them together. */
const lot = 4
/** How long one that is slow keeps others from beginning. Milliseconds. */
const longest = 100

/**
 * Lets few hosts of an execution begin at a time: two, twice as many whenever none of them answers soon, and from the first
 * answer on as many as keep the processor busy. Signing in is work for the processor: of a hundred that begin together
 * none is early, and nobody sees an answer until then. Hosts that wait for their network, or for a command that prints
 * nothing, hold up the others for a moment only.
 */
export class SignInGate {
  #limit = first
  #inside = 0
  readonly #waiting: (() => void)[] = []

  /** Waits for its turn. Returns what is called when the host has answered, or never will; later calls do nothing. */
  async enter(): Promise<(hasAnswered: boolean) => void> {
    if (this.#inside < this.#limit) this.#inside++
    else await new Promise<void>((go) => this.#waiting.push(go))
    let isOut = false
    const leave = (hasAnswered: boolean) => {
      if (isOut) return
      isOut = true
      clearTimeout(timer)
      this.#inside--
      this.#limit = hasAnswered ? most : Math.min(most, this.#limit * 2)
      const free = this.#limit - this.#inside
      if (free < Math.min(lot, this.#waiting.length, this.#limit)) return
      for (const go of this.#waiting.splice(0, free)) {
        this.#inside++
        go()
      }
    }
    const timer = setTimeout(leave, longest, false)
    return leave
  }
}
