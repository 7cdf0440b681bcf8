import { defineRoute, type Route } from '../http/route.ts'
import type { Resource } from '../resource/resource.ts'

/** Apps whose root URL lists their collections. */
const listed = new Set([
  ...['users', 'assets', 'accounts', 'perms', 'terminal', 'ops', 'audits', 'orgs', 'authentication', 'tickets', 'acls'],
  ...['notifications', 'rbac'],
])

/** `/api/v1/<app>/`: the collections of each app with their URLs, by name. */
export function apiRoots(resources: readonly Resource[]): Route[] {
  return [...Map.groupBy(resources, ({ app }) => app)]
    .filter(([app]) => listed.has(app))
    .map(([app, some]) =>
      defineRoute({
        method: 'GET',
        path: `/api/v1/${app}/`,
        requires: 'authenticated',
        summary: 'The collections of this app with their URLs',
        handle: ({ request }) =>
          Object.fromEntries(some.map(({ path, url }) => [path, new URL(url, request.origin).href])),
      }),
    )
}
