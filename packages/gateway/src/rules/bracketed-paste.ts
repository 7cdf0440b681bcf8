import type { Key } from './key-splitter.ts'

/** Larger pastes are decided on in parts. Bytes. */
export const pasteLimit = 256 * 1024
const operateAndGetNext = String.fromCharCode(0x0f)
const marks = [Buffer.from('\u001b[200~'), Buffer.from('\u001b[201~')] as const

export interface Pasted {
  /** The paste with its marks, as sent to the program. */
  bytes: Buffer
  /** The input of a program without support for bracketed paste: these characters act as Enter. */
  text: string
}

/** Buffers a bracketed paste completely, so that it can be rejected before the target receives any of it. */
export class BracketedPaste {
  private parts: Buffer[] | undefined
  private size = 0
  private trusted = true

  get isOpen(): boolean {
    return this.parts !== undefined
  }

  /** A program has enabled bracketed paste, and no other one was started since. */
  get isTrusted(): boolean {
    return this.trusted
  }

  /** Output of the target, which may enable bracketed paste. */
  output(chunk: Buffer): void {
    if (!this.trusted && chunk.includes('\u001b[?2004h')) this.trusted = true
  }

  /** A command is started: the new program may not support it. */
  distrust(): void {
    this.trusted = false
  }

  begin(): void {
    this.parts = []
    this.size = 0
  }

  /** Adds a key of the paste; returns the paste at its end, or once it is too long. */
  take(key: Key): Pasted | undefined {
    const parts = this.parts ?? []
    if (key.kind !== 'paste-end') {
      parts.push(key.bytes)
      this.size += key.bytes.length
      if (this.size <= pasteLimit) return undefined
    }
    this.parts = undefined
    const data = Buffer.concat(parts)
    const text = data.toString('utf8').replace(/\r\n?/g, '\n').replaceAll(operateAndGetNext, '\n')
    return { bytes: Buffer.concat([marks[0], data, marks[1]]), text }
  }
}
