/** Messages between this page and the page that shows it in a frame: the terminal application of the v3 contract. */
import { useEffect, useRef } from 'react'

interface Message {
  name: string
  id?: string
  data?: unknown
}

export interface ParentRequests {
  focus(): void
  /** Types text into the session, as a command bar for several tabs does. */
  type(text: string): void
}

/**
 * Answers the page around this one, and tells it what happens here. Another site, or another frame, is not heard: its
 * text would run on the target.
 */
export function useParent(requests: ParentRequests): (name: 'CONNECTED' | 'CLOSE' | 'CLICK') => void {
  const latest = useRef(requests)
  latest.current = requests
  /** The parent's name for this frame, known after its first PING. */
  const id = useRef('')
  const send = useRef((name: string) => {
    const message: Message = { name, id: id.current }
    if (window.parent !== window) window.parent.postMessage(message, location.origin)
  })
  useEffect(() => {
    const listen = (event: MessageEvent<Message | undefined>) => {
      if (window.parent === window || event.source !== window.parent || event.origin !== location.origin) return
      const { name, data } = event.data ?? {}
      if (name === 'PING') {
        id.current = `${event.data?.id ?? ''}`
        send.current('PONG')
      } else if (name === 'FOCUS') latest.current.focus()
      else if (name === 'CMD' && typeof data === 'string') latest.current.type(data)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])
  return send.current
}
