import { terminalAckEvery } from '@castellan/contract/web-terminal'

/**
 * Counts what the screen has really drawn and tells the other side in steps, so that output on the way is bounded
 * however fast the target talks. A last acknowledgement follows when the stream falls quiet: without it the gateway
 * would go on waiting for a remainder smaller than one step.
 */
export class DrawnMeter {
  readonly #acknowledge: (bytes: number) => void
  readonly #quietAfter: number
  #received = 0
  #drawn = 0
  #told = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param acknowledge gets the running total of drawn bytes; @param quietAfter milliseconds of silence before the remainder is told. */
  constructor(acknowledge: (bytes: number) => void, quietAfter = 50) {
    this.#acknowledge = acknowledge
    this.#quietAfter = quietAfter
  }

  /** Bytes handed to the terminal and not drawn yet. */
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
