/** A page that was opened before a new version was installed fetches parts that are no longer there. */
import { isServed } from '../kit/api/client.ts'
import { readStored } from '../kit/local-storage.ts'
import { hasUnsaved } from '../kit/unsaved.ts'

const reloadedFor = 'reloadedForParts'

async function renew({ message }: Error): Promise<void> {
  // Once per chunk: two missing chunks would otherwise reload the page endlessly.
  const before = readStored<string[]>(reloadedFor, sessionStorage) ?? []
  if (hasUnsaved() || before.includes(message) || !(await isServed())) return
  sessionStorage.setItem(reloadedFor, JSON.stringify([...before, message]))
  location.reload()
}

/** Loads the page anew when a part of it is gone, unless that would take unsaved changes along. */
export function followNewVersion(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => void renew(payload))
}
