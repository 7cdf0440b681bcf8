import type { Page } from 'playwright-core'

/** Answers one call otherwise than the product does: as an installation in another state would. */
export const answering = <Json extends object = Record<string, unknown>>(
  where: Page,
  url: string,
  change: (json: Json) => object,
) =>
  where.route(url, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change((await response.json()) as Json) })
  })
