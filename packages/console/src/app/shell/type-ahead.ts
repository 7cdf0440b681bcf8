/** Buffers typed text for a field whose code is still loading. */
export interface TypeAhead {
  /** Ends buffering and returns the typed text. */
  take(): string
}

/** A longer download counts as failed. Milliseconds. */
const patience = 10_000

/** Buffers typed text and keeps it from the page, until it is taken or canceled with Esc. */
export function typeAhead(): TypeAhead {
  let text = ''
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return end()
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    text += event.key
  }
  const end = () => {
    clearTimeout(timer)
    removeEventListener('keydown', onKey, true)
  }
  const timer = setTimeout(end, patience)
  addEventListener('keydown', onKey, true)
  return {
    take() {
      end()
      const taken = text
      text = ''
      return taken
    },
  }
}
