/** What follows the escape character of colors and styles (SGR). */
const style = /^\[[\d;:]{0,32}m/
/** The beginning of what may become a style with the next chunk. */
const halfStyle = /^(?:\[[\d;:]{0,32})?$/
/** Sequences that do more than style: they move, write titles and clipboards, or ask the terminal for answers. */
const sequence = /^(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_]\P{Cc}*(?:\p{Cc}\\?)?|[ -/]*[0-~])/u

const longestHalf = 40

/**
 * Turns the bytes that a target prints into text that a page and a terminal may show: styles, tabs and line ends stay,
 * every other control sequence goes. Bytes that are no text become the replacement character.
 */
export class PrintableOutput {
  readonly #decoder = new TextDecoder()
  #half = ''

  push(bytes: Buffer): string {
    return this.#clean(this.#half + this.#decoder.decode(bytes, { stream: true }), false)
  }

  end(): string {
    return this.#clean(this.#half + this.#decoder.decode(), true)
  }

  #clean(text: string, isLast: boolean): string {
    this.#half = ''
    let out = ''
    for (let at = 0; at < text.length; ) {
      const next = text.indexOf('\u001b', at)
      const plain = next < 0 ? text.slice(at) : text.slice(at, next)
      out += plain
        .replace(/\r\n?/g, '\n')
        .replace(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
      if (next < 0) break
      const rest = text.slice(next + 1, next + 4096)
      const found = style.exec(rest)
      if (found) out += `\u001b${found[0]}`
      else if (!isLast && rest.length < longestHalf && halfStyle.test(rest)) {
        this.#half = `\u001b${rest}`
        break
      }
      at = next + 1 + (found?.[0].length ?? sequence.exec(rest)?.[0].length ?? 0)
    }
    return out
  }
}
