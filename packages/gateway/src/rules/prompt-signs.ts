import { promptSign, screenDrawing } from './control-sequences.ts'

const esc = '\u001b'
const longest = 64

/**
 * Sees a shell's prompt in what the target sends: shells ask for bracketed pastes at each of them. It tells a shell from a
 * program that has the screen where somebody has switched the screen by hand.
 */
export class PromptSigns {
  private tail = ''
  /** A prompt was shown since the last Enter, and nothing has drawn on the screen since. */
  isShown = false

  output(chunk: Buffer): void {
    // Looked for only where one can be: plain output must cost nothing.
    if (!chunk.includes(0x1b) && this.tail === '') return
    const text = this.tail + chunk.toString('latin1')
    const last = [...text.matchAll(promptSign)].at(-1)
    const from = last ? last.index + last[0].length : 0
    if (last) this.isShown = true
    if (screenDrawing.test(text.slice(from))) this.isShown = false
    const start = text.lastIndexOf(esc)
    // A sequence that the chunk's end may have cut; a whole one read again says the same.
    this.tail = start >= from && text.length - start < longest ? text.slice(start) : ''
  }

  enter(): void {
    this.isShown = false
    this.tail = ''
  }
}
