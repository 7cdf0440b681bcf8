/** After an update, a page opened before requests chunks that no longer exist. */

import { readStored } from '../browser/local-storage.ts'
import { isServed } from '../kit/api/client.ts'
import { hasUnsaved } from '../kit/unsaved.ts'

const reloadedFor = 'reloadedForParts'

async function renew({ message }: Error): Promise<void> {
  // Once per chunk: two missing chunks would otherwise reload the page endlessly.
  const before = readStored<string[]>(reloadedFor, sessionStorage) ?? []
  if (hasUnsaved() || before.includes(message) || !(await isServed())) return
  sessionStorage.setItem(reloadedFor, JSON.stringify([...before, message]))
  location.reload()
}

/** Reloads the page if a chunk is missing, unless changes are unsaved. */
export function followNewVersion(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => void renew(payload))
}
