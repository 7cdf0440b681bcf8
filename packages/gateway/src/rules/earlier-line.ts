import type { Place, Screen } from './screen.ts'

const isSame = (one: Place, other: Place) => one.column === other.column && one.row() === other.row()

/** The start of the previous line: if the key that seemed to end it did not, the line continues there. */
export class EarlierLine {
  private readonly screen: Screen
  private earlier: { place: Place; text: string } | undefined

  constructor(screen: Screen) {
    this.screen = screen
  }

  /**
   * The text since the start of the previous line, if the key that seemed to end that line did not; otherwise empty.
   */
  goneOn(place: Place): string {
    const { earlier, screen } = this
    if (!earlier || earlier.text === '' || !screen.isCursorIn(earlier.place)) return ''
    if (isSame(earlier.place, place)) return ''
    const whole = screen.textFrom(earlier.place).trim()
    return whole.startsWith(earlier.text) ? whole : ''
  }

  /** Records the start of a line that seems to have ended; a line that continues another has the other's start. */
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
