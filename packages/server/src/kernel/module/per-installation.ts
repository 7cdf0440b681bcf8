import type { Services } from './context.ts'

/**
 * State that a program holds in memory for one installation. A variable of a module would be shared by all
 * installations in one process, which is how tests run them. Made at the first use; returns the access to it.
 */
export function perInstallation<T>(make: (services: Services) => T): (services: Services) => T {
  const known = new WeakMap<Services, { state: T }>()
  return (services) => {
    let entry = known.get(services)
    if (!entry) {
      entry = { state: make(services) }
      known.set(services, entry)
    }
    return entry.state
  }
}
