import type { Key } from './key-splitter.ts'

/** Larger pastes are decided on in parts. Bytes. */
export const pasteLimit = 256 * 1024
const operateAndGetNext = String.fromCharCode(0x0f)
const marks = [Buffer.from('\u001b[200~'), Buffer.from('\u001b[201~')] as const

export interface Pasted {
  /** As the program is to get it, between its marks. */
  bytes: Buffer
  /** What a program that takes no such pastes reads out of it: of its characters these are Enter. */
  text: string
}

/** Collects a bracketed paste whole, so that it can be refused before the target saw any of it. */
export class BracketedPaste {
  private parts: Buffer[] | undefined
  private size = 0
  private trusted = true

  get isOpen(): boolean {
    return this.parts !== undefined
  }

  /** A program has said that it takes pastes, and no other one was started since. */
  get isTrusted(): boolean {
    return this.trusted
  }

  /** What the target wrote may say that a program takes pastes. */
  output(chunk: Buffer): void {
    if (!this.trusted && chunk.includes('\u001b[?2004h')) this.trusted = true
  }

  /** Something is run: it may take none. */
  distrust(): void {
    this.trusted = false
  }

  begin(): void {
    this.parts = []
    this.size = 0
  }

  /** Takes a key of the paste; answers all of it at its end, or once there is too much of it. */
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
