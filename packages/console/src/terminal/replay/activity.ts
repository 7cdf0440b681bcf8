const finest = 0.25
const most = 2048

/**
 * Amount of output over time. Buckets double in width when the recording outgrows them, so that memory use is constant.
 */
export class Activity {
  #width = finest
  #buckets: number[] = []

  /** @param time seconds from the start; @param amount characters of output */
  add(time: number, amount: number) {
    while (time / this.#width >= most) this.#halve()
    const at = Math.floor(time / this.#width)
    while (this.#buckets.length <= at) this.#buckets.push(0)
    this.#buckets[at] = (this.#buckets[at] ?? 0) + amount
  }

  /**
   * Heights from 0 to 1 of `count` bars over `duration` seconds. Uses the square root of the amount, so that a listing
   * of a thousand lines does not flatten typed input.
   */
  bars(count: number, duration: number): number[] {
    const sums = new Array<number>(count).fill(0)
    if (duration <= 0) return sums
    this.#buckets.forEach((amount, i) => {
      // The last event is exactly at the end: its bucket belongs to the last bar.
      const from = Math.min(((i * this.#width) / duration) * count, count - 1e-6)
      const to = Math.min((((i + 1) * this.#width) / duration) * count, count)
      for (let bar = Math.floor(from); bar < Math.min(count, Math.ceil(to)); bar++) {
        const share = (Math.min(to, bar + 1) - Math.max(from, bar)) / (to - from)
        sums[bar] = (sums[bar] ?? 0) + amount * share
      }
    })
    const highest = Math.max(...sums)
    return highest > 0 ? sums.map((sum) => Math.sqrt(sum / highest)) : sums
  }

  #halve() {
    const next: number[] = []
    for (let i = 0; i < this.#buckets.length; i += 2) {
      next.push((this.#buckets[i] ?? 0) + (this.#buckets[i + 1] ?? 0))
    }
    this.#buckets = next
    this.#width *= 2
  }
}
