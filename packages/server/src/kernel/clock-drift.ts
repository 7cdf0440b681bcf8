/** A moment by the wall's clock, which somebody may set, and by the machine's own, which goes on (but not in its sleep). */
export interface ClockPair {
  wall: number
  steady: number
}

export const readClocks = (): ClockPair => ({ wall: Date.now(), steady: performance.now() })

/** How far the wall's clock was set, or the machine slept, since a moment; negative where it was set back. Milliseconds. */
export const clockDrift = ({ wall, steady }: ClockPair): number => Date.now() - wall - (performance.now() - steady)
