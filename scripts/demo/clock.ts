// Loaded into the programs while the demo is filled (`--import`): their clock is behind by what a file says, in
// milliseconds, so that a month of use happens in seconds and through the API, with every date as it would be.
import { readFileSync } from 'node:fs'

const file = process.env.DEMO_CLOCK_FILE
const { now } = Date
/** Milliseconds; negative ones are in the past. */
let shift = 0

/** @param offset milliseconds */
export function setShift(offset: number): void {
  shift = offset
}

globalThis.Date = new Proxy(Date, {
  construct: (real, words, made) => Reflect.construct(real, words.length > 0 ? words : [now() + shift], made),
  get: (real, name) => (name === 'now' ? () => now() + shift : Reflect.get(real, name)),
})

if (file) {
  const read = () => {
    const text = readFileSync(file, 'utf8')
    if (text) shift = Number(text)
  }
  read()
  setInterval(read, 10).unref()
}
