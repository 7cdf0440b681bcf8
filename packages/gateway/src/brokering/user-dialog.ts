import type { Language } from '@castellan/contract/messages'
import type { ReviewAsker, ReviewWait } from './command-control.ts'
import { showElapsed } from './elapsed.ts'

const isCancel = (key: number) => key === 0x03 || key === 0x04

/** Prompts inside a running terminal: while one is open, the user's keys answer it and go nowhere else. */
export class UserDialog implements ReviewAsker {
  private readonly language: Language
  private readonly show: (text: string) => void
  private onKey: ((key: number) => void) | undefined

  constructor(language: Language, show: (text: string) => void) {
    this.language = language
    this.show = show
  }

  get isOpen(): boolean {
    return this.onKey !== undefined
  }

  input(data: Buffer): void {
    for (const key of data) this.onKey?.(key)
  }

  /** Asks; from here until the wait is closed, every key of the user ends in the dialog. */
  async request(question: string): Promise<ReviewWait | undefined> {
    this.show(`\r\n${question} `)
    const answer = Promise.withResolvers<boolean>()
    this.onKey = (key) => {
      if (key === 0x0d || key === 0x0a || key === 0x79 || key === 0x59) answer.resolve(true)
      else if (key === 0x6e || key === 0x4e || isCancel(key)) answer.resolve(false)
    }
    if (!(await answer.promise)) {
      this.onKey = undefined
      return undefined
    }
    const cancelled = Promise.withResolvers<void>()
    this.onKey = (key) => {
      if (isCancel(key)) cancelled.resolve()
    }
    return this.wait(cancelled.promise)
  }

  private wait(cancelled: Promise<void>): ReviewWait {
    let stop: (() => void) | undefined
    this.show('\r\n')
    return {
      cancelled,
      show: (text) => {
        stop?.()
        this.show(`${text.replaceAll('\n', '\r\n')}\r\n`)
        stop = showElapsed(this.language, this.show)
      },
      close: () => {
        stop?.()
        this.onKey = undefined
      },
    }
  }
}
