import { apiPage, type Description } from './kernel/api-docs/api-docs.ts'
import { openApi } from './kernel/api-docs/openapi.ts'
import { defineRoute, Reply, type Route } from './kernel/http/route.ts'
import { type Context, systemContext } from './kernel/module/context.ts'
import type { Resource } from './kernel/resource/resource.ts'

/** The product's version, as the contract's clients expect it. */
const version = '3.9.1'

/** The API page needs its own style only: no script, nothing from other origins. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The API description, as OpenAPI and as a page; any signed-in user may read it. */
export function documentation(routes: readonly Route[], resources: ReadonlyMap<string, Resource>): Route[] {
  // Generated on each request, because choices and limits depend on the settings and the license; in English.
  const description = ({ services }: Context) =>
    openApi(systemContext(services), routes, resources, version) as Description
  const page = (path: string) =>
    defineRoute({
      method: 'GET',
      path,
      requires: 'authenticated',
      summary: 'The API description as a page',
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
      summary: 'The API description as an OpenAPI 3.1 document',
      handle: ({ ctx }) => description(ctx),
    }),
    page('/api/docs/'),
    page('/api/redoc/'),
  ]
}
