import type { CastEvent } from './cast.ts'
import type { Keyframes } from './keyframes.ts'
import type { Recording } from './recording.ts'

/** The terminal the player writes to. */
export interface PlayerScreen {
  write(text: string, done: () => void): void
  resize(columns: number, rows: number): void
  reset(): void
}

export const speeds = [0.5, 1, 1.5, 2, 4, 8, 16] as const
/** Maximum seconds of silence when silence is skipped. */
const idleLimit = 1
/** Characters written and not yet rendered; above it, the clock waits for the terminal. */
const mostPending = 512 * 1024

/**
 * Plays a recording on a terminal. The caller calls `tick` with the current time on every frame. The player owns the
 * clock of the recording, and everything shown is a function of that clock.
 */
export class Player {
  readonly #recording: Recording
  readonly #screen: PlayerScreen
  readonly #keyframes: Keyframes
  #onChange: () => void
  #block = 0
  #next = 0
  #events: CastEvent[] | undefined
  #loading = false
  #pending = 0
  #before: number | undefined
  #seekNumber = 0

  time = 0
  playing = false
  seeking = false
  speed = 1
  skipIdle = true

  constructor(recording: Recording, screen: PlayerScreen, keyframes: Keyframes, onChange: () => void) {
    this.#recording = recording
    this.#screen = screen
    this.#keyframes = keyframes
    this.#onChange = onChange
    screen.resize(recording.header.width, recording.header.height)
  }

  get ended() {
    return this.#recording.complete && this.#block >= this.#recording.blocks
  }

  play() {
    if (this.ended) void this.seek(0)
    this.playing = true
    this.#before = undefined
    this.#onChange()
  }

  pause() {
    this.playing = false
    this.#onChange()
  }

  setSpeed(speed: number) {
    this.speed = speed
    this.#onChange()
  }

  setSkipIdle(skip: boolean) {
    this.skipIdle = skip
    this.#onChange()
  }

  /** Advances by the time since the last tick. @param now milliseconds of a monotonic clock */
  tick(now: number) {
    const passed = this.#before === undefined ? 0 : Math.min(now - this.#before, 250)
    this.#before = now
    if (!this.playing || this.seeking || this.#pending > mostPending) return
    const events = this.#events
    if (!events) {
      this.#load()
      return
    }
    this.time += (passed / 1000) * this.speed
    this.#skipSilence(events)
    this.#next = this.#draw(events, this.#next, this.time)
    if (this.#next >= events.length) this.#enter(this.#block + 1)
    if (this.ended) {
      this.time = this.#recording.duration
      this.playing = false
    }
    this.#onChange()
  }

  /** Shows the state at a time and keeps playing from there. A later call overrides an earlier one. */
  async seek(to: number): Promise<void> {
    const number = ++this.#seekNumber
    const target = Math.min(Math.max(0, to), this.#recording.duration)
    const block = this.#recording.blockAt(target)
    const frame = this.#keyframes.before(block)
    const onwards = target >= this.time && this.#events && block - this.#block <= block - (frame?.block ?? 0)
    this.seeking = true
    this.time = target
    this.#onChange()
    let at = this.#block
    let next = this.#next
    if (!onwards) {
      const { width, height } = this.#recording.header
      at = frame?.block ?? 0
      next = 0
      this.#screen.reset()
      this.#screen.resize(frame?.columns ?? width, frame?.rows ?? height)
      if (frame) this.#screen.write(frame.picture, () => undefined)
    }
    for (; at <= block; at++, next = 0) {
      const events = await this.#recording.events(at)
      if (number !== this.#seekNumber) return
      next = this.#draw(events, next, target)
      this.#events = events
      this.#block = at
      this.#next = next
      await this.#drawn()
      if (number !== this.#seekNumber) return
      if (next < events.length) break
    }
    this.seeking = false
    this.#before = undefined
    if (this.#events && this.#next >= this.#events.length) this.#enter(this.#block + 1)
    this.#onChange()
  }

  /** Stops permanently: no callback is called afterwards. */
  dispose() {
    this.#seekNumber++
    this.playing = false
    this.#onChange = () => undefined
  }

  #enter(block: number) {
    this.#block = block
    this.#next = 0
    this.#events = undefined
    this.#load()
  }

  #load() {
    if (this.#loading || this.#block >= this.#recording.blocks) return
    this.#loading = true
    const block = this.#block
    this.#recording.events(block).then((events) => {
      this.#loading = false
      if (block === this.#block && !this.#events) this.#events = events
      void this.#recording.events(block + 1)
    })
  }

  #skipSilence(events: CastEvent[]) {
    const following = events[this.#next]
    if (!this.skipIdle || !following) return
    const previous = this.#next > 0 ? (events[this.#next - 1]?.time ?? 0) : 0
    if (following.time - previous > idleLimit && this.time - previous > idleLimit && this.time < following.time) {
      this.time = following.time
    }
  }

  /** Renders the events from `next` up to a time, output in one piece, and returns the first event not rendered. */
  #draw(events: CastEvent[], next: number, upTo: number): number {
    let at = next
    let text = ''
    for (; at < events.length; at++) {
      const event = events[at]
      if (!event || event.time > upTo) break
      if (event.code === 'o') text += event.data
      else {
        this.#write(text)
        text = ''
        this.#screen.resize(event.columns, event.rows)
      }
    }
    this.#write(text)
    return at
  }

  #write(text: string) {
    if (!text) return
    this.#pending += text.length
    this.#screen.write(text, () => {
      this.#pending -= text.length
    })
  }

  #drawn(): Promise<void> {
    return new Promise((done) => this.#screen.write('', done))
  }
}
