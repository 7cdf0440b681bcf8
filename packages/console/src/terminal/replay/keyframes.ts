import type { Recording } from './recording.ts'

/** A hidden terminal; `picture` serializes its state as text that renders it again. */
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
 * Keyframes of the screen at the start of blocks, created in the background during playback. A jump starts from the
 * last keyframe before its target. When there are too many, every second one is dropped: jumps render a few more
 * blocks, and memory use stays bounded.
 */
export class Keyframes {
  #frames: Keyframe[] = []
  #every = 1
  #stopped = false

  /** The last keyframe at or before the block; undefined means: render from the beginning. */
  before(block: number): Keyframe | undefined {
    return this.#frames.findLast((frame) => frame.block <= block)
  }

  get count() {
    return this.#frames.length
  }

  stop() {
    this.#stopped = true
  }

  /**
   * Creates keyframes of the blocks from `from` on and returns the next block; call again when the recording has grown.
   */
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
