/** One message at a time, shown by the shell; a new one replaces the old. */
export interface Toast {
  kind: 'ok' | 'error'
  text: string
  /** Seconds; an error stays 5, anything else 3 unless said. */
  seconds: number
  /** Part of the text that leads somewhere. */
  link?: { text: string; to: string }
}

type Listener = (flash: Toast) => void
let show: Listener = () => {}

export const toast = {
  ok: (text: string, seconds = 3): void => show({ kind: 'ok', text, seconds }),
  /** Something was saved; the part of the text that is `link.text` leads to it. */
  saved: (text: string, link?: Toast['link']): void => show({ kind: 'ok', text, seconds: 5, link }),
  error: (text: string): void => show({ kind: 'error', text, seconds: 5 }),
  /** The shell's place for messages. */
  listen: (listener: Listener): void => {
    show = listener
  },
}
