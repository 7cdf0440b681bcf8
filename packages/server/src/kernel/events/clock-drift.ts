/**
 * One timestamp by the wall clock, which can be set, and by the monotonic clock, which cannot (but stops while the
 * machine sleeps).
 */
export interface ClockPair {
  wall: number
  steady: number
}

export const readClocks = (): ClockPair => ({ wall: Date.now(), steady: performance.now() })

/**
 * How far the wall clock was set ahead, or the machine slept, since a timestamp; negative when it was set back.
 * Milliseconds.
 */
export const clockDrift = ({ wall, steady }: ClockPair): number => Date.now() - wall - (performance.now() - steady)
