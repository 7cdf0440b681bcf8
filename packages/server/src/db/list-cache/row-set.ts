const bitsOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

/** A set of row numbers, a bit each. */
export class RowSet {
  readonly #bits: Uint8Array
  readonly size: number

  private constructor(bits: Uint8Array) {
    this.#bits = bits
    let size = 0
    for (const byte of bits) size += bitsOfByte[byte] ?? 0
    this.size = size
  }

  get bytes(): number {
    return this.#bits.length
  }

  static of(numbers: readonly number[]): RowSet {
    return new RowSet(new Uint8Array(0)).with([], numbers)
  }

  /** Another set, without some numbers and then with others. */
  with(without: Iterable<number>, also: readonly number[]): RowSet {
    const length = also.reduce((most, number) => Math.max(most, (number >>> 3) + 1), this.#bits.length)
    const bits = new Uint8Array(length)
    bits.set(this.#bits)
    const byte = (number: number) => bits[number >>> 3] ?? 0
    for (const number of without)
      if (number >>> 3 < bits.length) bits[number >>> 3] = byte(number) & ~(1 << (number & 7))
    for (const number of also) bits[number >>> 3] = byte(number) | (1 << (number & 7))
    return new RowSet(bits)
  }
}
