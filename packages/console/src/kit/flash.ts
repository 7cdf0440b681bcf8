/** One message at a time, shown by the shell; a new one replaces the old. */
export interface Flash {
  kind: 'ok' | 'error'
  text: string
  /** Part of the text that leads somewhere. */
  link?: { text: string; to: string }
}

type Listener = (flash: Flash) => void
let show: Listener = () => {}

export const flash = {
  ok: (text: string, link?: Flash['link']): void => show({ kind: 'ok', text, link }),
  error: (text: string): void => show({ kind: 'error', text }),
  /** The shell's place for messages. */
  listen: (listener: Listener): void => {
    show = listener
  },
}
