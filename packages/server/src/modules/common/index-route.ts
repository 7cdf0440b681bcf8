import { defineRoute } from '../../kernel/http/route.ts'
import { charts } from './index-charts.ts'
import { totals } from './index-totals.ts'
import { windowOf } from './index-window.ts'

/**
 * Numbers of the dashboard: each one only when its name, `total_count` for all counts, or `all` is among the
 * parameters.
 */
export const indexRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/index/',
  requires: 'rbac.view_audit | rbac.view_console',
  summary: 'Numbers for the dashboard',
  handle: async ({ ctx, request }) => {
    const { query } = request
    const window = windowOf(ctx, query)
    // Any text switches a number on, even 0; an empty one does not.
    const isOn = (name: string) => Object.hasOwn(query, name) && query[name] !== ''
    const wanted = (name: string) =>
      isOn('all') || isOn(name) || (isOn('total_count') && name.startsWith('total_count_'))
    const answer: Record<string, unknown> = {}
    for (const [name, total] of Object.entries(totals)) if (wanted(name)) answer[name] = await total(ctx, window)
    for (const [name, chart] of Object.entries(charts))
      if (wanted(name)) Object.assign(answer, await chart(ctx, window))
    return answer
  },
})
