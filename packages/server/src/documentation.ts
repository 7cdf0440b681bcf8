import { apiPage, type Description } from './kernel/api-docs/api-docs.ts'
import { openApi } from './kernel/api-docs/openapi.ts'
import { type Context, systemContext } from './kernel/context.ts'
import type { Resource } from './kernel/resource.ts'
import { defineRoute, Reply, type Route } from './kernel/route.ts'

/** The product's version, as the contract's clients expect it. */
const version = '3.9.1'

/** The page of the API needs its own style and nothing else: no script, nothing from elsewhere. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The API's own description, for programs and for people; anybody signed in may read it. */
export function documentation(routes: readonly Route[], resources: ReadonlyMap<string, Resource>): Route[] {
  // What it says of choices and limits follows the settings and the license, so it is made anew each time; in English.
  const description = ({ services }: Context) =>
    openApi(systemContext(services), routes, resources, version) as Description
  const page = (path: string) =>
    defineRoute({
      method: 'GET',
      path,
      requires: 'authenticated',
      summary: 'This API as a page to browse',
      handle: ({ ctx, request }) =>
        new Reply(200, apiPage(description(ctx), ctx.language, request.query.app), {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy,
          'referrer-policy': 'same-origin',
        }),
    })
  return [
    defineRoute({
      method: 'GET',
      path: '/api/swagger.json',
      requires: 'authenticated',
      summary: 'This API as an OpenAPI 3.1 document',
      handle: ({ ctx }) => description(ctx),
    }),
    page('/api/docs/'),
    page('/api/redoc/'),
  ]
}
