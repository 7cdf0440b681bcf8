/** One message at a time, rendered by the shell. A new one replaces the previous one. */
export interface Toast {
  kind: 'ok' | 'error'
  text: string
  /** Seconds; 5 for errors, otherwise 3 by default. */
  seconds: number
  /** Part of the text that is a link. */
  link?: { text: string; to: string }
}

type Listener = (flash: Toast) => void
let show: Listener = () => {}

export const toast = {
  ok: (text: string, seconds = 3): void => show({ kind: 'ok', text, seconds }),
  /** Confirms a save; the part of the text in `link.text` is a link to the object. */
  saved: (text: string, link?: Toast['link']): void => show({ kind: 'ok', text, seconds: 5, link }),
  error: (text: string): void => show({ kind: 'error', text, seconds: 5 }),
  /** Message slot of the shell. */
  listen: (listener: Listener): void => {
    show = listener
  },
}
