/** Matches `/console/users/users/:id` and `/console/users/users/…-…`. */
export function matches(path: string, address: string): boolean {
  const pattern = path.split('/')
  const parts = address.replace(/\/$/, '').split('/')
  return (
    pattern.length === parts.length && pattern.every((segment, i) => segment.startsWith(':') || segment === parts[i])
  )
}
