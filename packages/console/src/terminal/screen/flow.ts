import { terminalAckEvery } from '@castellan/contract/web-terminal'

/**
 * Counts rendered output and acknowledges it in steps, so that output in transit is bounded however fast the target
 * writes. A last acknowledgement follows when the stream is quiet: otherwise the gateway would keep waiting for a
 * remainder smaller than one step.
 */
export class DrawnMeter {
  readonly #acknowledge: (bytes: number) => void
  readonly #quietAfter: number
  #received = 0
  #drawn = 0
  #told = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /**
   * @param acknowledge gets the running total of rendered bytes; @param quietAfter milliseconds without output before
   * the remainder is acknowledged.
   */
  constructor(acknowledge: (bytes: number) => void, quietAfter = 50) {
    this.#acknowledge = acknowledge
    this.#quietAfter = quietAfter
  }

  /** Bytes written to the terminal and not rendered yet. */
  get pending() {
    return this.#received - this.#drawn
  }

  received(bytes: number) {
    this.#received += bytes
  }

  drawn(bytes: number) {
    this.#drawn += bytes
    if (this.#drawn - this.#told >= terminalAckEvery) this.#tell()
    else if (this.#timer === undefined) this.#timer = setTimeout(() => this.#tell(), this.#quietAfter)
  }

  stop() {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #tell() {
    this.stop()
    if (this.#told === this.#drawn) return
    this.#told = this.#drawn
    this.#acknowledge(this.#drawn)
  }
}
