import type { ReviewAsker } from './command-control.ts'

/** Prompts inside a running terminal: while one is open, the user's keys answer it and go nowhere else. */
export class UserDialog implements ReviewAsker {
  private readonly show: (text: string) => void
  private onKey: ((key: number) => void) | undefined

  constructor(show: (text: string) => void) {
    this.show = show
  }

  get isOpen(): boolean {
    return this.onKey !== undefined
  }

  input(data: Buffer): void {
    for (const key of data) this.onKey?.(key)
  }

  ask(text: string): Promise<boolean> {
    this.show(`\r\n${text} `)
    return new Promise((resolve) => {
      const answer = (yes: boolean) => {
        this.onKey = undefined
        resolve(yes)
      }
      this.onKey = (key) => {
        if (key === 0x0d || key === 0x0a || key === 0x79 || key === 0x59) answer(true)
        else if (key === 0x6e || key === 0x4e || key === 0x03 || key === 0x04) answer(false)
      }
    })
  }

  wait(text: (seconds: number) => string): { cancelled: Promise<void>; close(): void } {
    const begun = performance.now()
    const draw = () => this.show(`\r\u001b[K${text(Math.round((performance.now() - begun) / 1000))}`)
    this.show('\r\n')
    draw()
    const timer = setInterval(draw, 1000)
    const cancelled = new Promise<void>((resolve) => {
      this.onKey = (key) => {
        if (key === 0x03 || key === 0x04) resolve()
      }
    })
    return {
      cancelled,
      close: () => {
        clearInterval(timer)
        this.onKey = undefined
      },
    }
  }
}
