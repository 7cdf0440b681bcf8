/** Hosts that are under way until the first one has answered. */
const atOnce = 8
/** How long one that is slow keeps others from beginning. Milliseconds. */
const longest = 250

/**
 * Lets few hosts of an execution begin until one of them has answered, and then all. Signing in is work for the processor:
 * of a hundred that begin together none is early, and nobody sees an answer until then. Hosts that wait for their network,
 * or for a command that prints nothing, hold up the others for a moment only.
 */
export class SignInGate {
  #isOpen = false
  #inside = 0
  readonly #waiting: (() => void)[] = []

  /** Waits for its turn. Returns what is called when the host has answered, or never will; later calls do nothing. */
  async enter(): Promise<(hasAnswered: boolean) => void> {
    if (this.#isOpen) return () => undefined
    if (this.#inside >= atOnce) await new Promise<void>((go) => this.#waiting.push(go))
    this.#inside++
    let isOut = false
    const leave = (hasAnswered: boolean) => {
      if (isOut) return
      isOut = true
      clearTimeout(timer)
      this.#inside--
      this.#isOpen ||= hasAnswered
      for (const go of this.#waiting.splice(0, this.#isOpen ? this.#waiting.length : 1)) go()
    }
    const timer = setTimeout(leave, longest, false)
    return leave
  }
}
