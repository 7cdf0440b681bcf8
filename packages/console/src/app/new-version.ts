/** A page that was opened before a new version was installed fetches parts that are no longer there. */
import { isServed } from '../kit/api/client.ts'
import { hasUnsaved } from '../kit/unsaved.ts'

const reloadedFor = 'reloadedFor'

async function renew({ message }: Error): Promise<void> {
  // Once for each part: one that stays away would have the page reload for ever.
  if (hasUnsaved() || sessionStorage.getItem(reloadedFor) === message || !(await isServed())) return
  sessionStorage.setItem(reloadedFor, message)
  location.reload()
}

/** Loads the page anew when a part of it is gone, unless that would take unsaved changes along. */
export function followNewVersion(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => void renew(payload))
}
