/** What is typed for a field that is still on its way: hands are quicker than a download. */
export interface TypeAhead {
  /** Ends the wait, and gives what was typed so far. */
  take(): string
}

/** A download that takes longer has failed. Milliseconds. */
const patience = 10_000

/** Keeps what is typed from now on away from the page, until it is taken or Esc gives it up. */
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
