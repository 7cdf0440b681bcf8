/** What changes elsewhere than where the keyboard stands, told to those who hear the page. */
type Listener = (text: string) => void
let tell: Listener = () => {}

export const announce = (text: string): void => tell(text)

/** The one place that is read out; it has to stand before anything is said in it. */
export function listenForAnnouncements(listener: Listener): void {
  tell = listener
}
