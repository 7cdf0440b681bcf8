/** Announces changes outside the focused element to screen readers. */
type Listener = (text: string) => void
let tell: Listener = () => {}

export const announce = (text: string): void => tell(text)

/** The live region. It has to exist before its text changes, or screen readers ignore the text. */
export function listenForAnnouncements(listener: Listener): void {
  tell = listener
}
