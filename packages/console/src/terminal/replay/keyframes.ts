import type { Recording } from './recording.ts'

/** A terminal that nobody sees; `picture` gives its state as text that draws it again. */
export interface HiddenTerminal {
  write(text: string, done: () => void): void
  resize(columns: number, rows: number): void
  picture(): string
  dispose(): void
}

export interface Keyframe {
  block: number
  columns: number
  rows: number
  picture: string
}

const mostPictures = 256

/**
 * Pictures of the screen at the beginning of blocks, taken in the background while the person already watches. A jump
 * starts from the last picture before its target. When there are too many, every second one is dropped: a jump then
 * draws a few blocks more, the memory stays bounded.
 */
export class Keyframes {
  #frames: Keyframe[] = []
  #every = 1
  #stopped = false

  /** The last picture at or before the block; undefined means: draw from the beginning. */
  before(block: number): Keyframe | undefined {
    return this.#frames.findLast((frame) => frame.block <= block)
  }

  get count() {
    return this.#frames.length
  }

  stop() {
    this.#stopped = true
  }

  /** Takes the pictures of the blocks `from` … and returns how far it got; call again when the recording has grown. */
  async take(recording: Recording, terminal: HiddenTerminal, from: number): Promise<number> {
    let at = from
    for (; at < recording.blocks && !this.#stopped; at++) {
      const block = recording.block(at)
      if (!block) break
      if (at > 0 && at % this.#every === 0) {
        this.#frames.push({ block: at, columns: block.columns, rows: block.rows, picture: terminal.picture() })
        this.#thin()
      }
      let text = ''
      const draw = () => new Promise<void>((done) => terminal.write(text, done))
      for (const event of await recording.events(at)) {
        if (event.code === 'o') text += event.data
        else {
          await draw()
          text = ''
          terminal.resize(event.columns, event.rows)
        }
      }
      await draw()
    }
    return at
  }

  #thin() {
    if (this.#frames.length <= mostPictures) return
    this.#every *= 2
    this.#frames = this.#frames.filter((frame) => frame.block % this.#every === 0)
  }
}
