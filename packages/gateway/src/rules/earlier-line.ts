import type { Place, Screen } from './screen.ts'

const isSame = (one: Place, other: Place) => one.column === other.column && one.row() === other.row()

/** Where the line before began: it goes on where the key that seemed to end it did not. */
export class EarlierLine {
  private readonly screen: Screen
  private earlier: { place: Place; text: string } | undefined

  constructor(screen: Screen) {
    this.screen = screen
  }

  /** What stands on the line since the one before began, when a key that seemed to end that one did not; else nothing. */
  goneOn(place: Place): string {
    const { earlier, screen } = this
    if (!earlier || earlier.text === '' || !screen.isCursorIn(earlier.place)) return ''
    if (isSame(earlier.place, place)) return ''
    const whole = screen.textFrom(earlier.place).trim()
    return whole.startsWith(earlier.text) ? whole : ''
  }

  /** Keeps where a line began that seems to be over; one that has gone on from another keeps the other's beginning. */
  remember(place: Place, typed: string): void {
    const { earlier } = this
    const shown = this.screen.textFrom(place, { upToGap: true }).trim()
    const whole = this.goneOn(place)
    const isUnseen = shown === '' && earlier !== undefined && isSame(earlier.place, place)
    if (earlier && (whole !== '' || isUnseen)) {
      this.earlier = { place: earlier.place, text: whole || earlier.text }
      return
    }
    earlier?.place.dispose()
    this.earlier = { place, text: shown || typed }
  }
}
