/** How deep values in a document may be nested; what reads or writes deeper ones may run out of stack. */
export const deepestJson = 100
/** How many values there may be. */
const mostValues = 4_000_000

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]

/** A document that is nested too deep, or has too many values. */
export class TooComplex extends SyntaxError {}

/** A document that is nested too deep. */
export class TooDeep extends TooComplex {}

/**
 * Refuses JSON that is nested so deep that programs that call themselves fail on it, or that fills the memory with its
 * values. Looks at the text, before anything is made of it.
 * @throws TooComplex
 */
export function demandSimple(written: Buffer): void {
  let depth = 0
  let values = 0
  let isText = false
  for (let at = 0; at < written.length; at++) {
    const byte = written[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
      continue
    }
    if (byte === quote) isText = true
    // `[` and `{`, `]` and `}`.
    else if (byte === 0x5b || byte === 0x7b) depth++
    else if (byte === 0x5d || byte === 0x7d) depth--
    else if (byte === comma || byte === colon) values++
    if (depth > deepestJson) throw new TooDeep(`nested deeper than ${deepestJson}`)
    if (values > mostValues) throw new TooComplex(`more than ${mostValues} values`)
  }
}

/** A value in JSON that somebody else wrote. @throws SyntaxError */
export function parseJson(written: string): unknown {
  demandSimple(Buffer.from(written))
  return JSON.parse(written)
}
