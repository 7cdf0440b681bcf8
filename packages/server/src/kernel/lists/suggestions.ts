import type { Params } from '../http/route.ts'
import type { Context } from '../module/context.ts'
import type { Fields, ListQuery, Resource, Suggestions } from '../resource/resource.ts'
import { ordered } from './query.ts'

/** Maximum number of suggestions. */
const most = 10

/** A resource reduced to some fields: nothing else is returned, searched, filtered or ordered by. */
function projected(resource: Resource, names: readonly string[]): Resource {
  const isShown = (name: string) => names.includes(name)
  const { total: _total, filters: _filters, ruleAttributes: _rules, dateRange: _range, ...rest } = resource
  const fields: Fields = Object.fromEntries(Object.entries(resource.fields).filter(([name]) => isShown(name)))
  return { ...rest, fields, search: (resource.search ?? []).filter(isShown), orderable: names.filter(isShown) }
}

/** A list of suggestions: its context, fields and rows. */
interface SuggestedList {
  ctx: Context
  resource: Resource
  narrow: (query: ListQuery) => ListQuery
}

/**
 * The list of `GET {collection}/suggestions/`.
 * @param listing the permission to list the resource's rows
 */
export function suggestedList(resource: Resource, { acrossOrgs, fields, permitted }: Suggestions, listing: string) {
  const fewer = projected(resource, fields)
  return async (here: Context, params: Params): Promise<SuggestedList> => {
    const ctx = acrossOrgs ? here.acrossOrgs() : here
    // Permissions in one organization reveal nothing more of the rows of others.
    const codes = acrossOrgs ? await ctx.services.permissionsOf(ctx, ctx.me, ctx.orgId) : ctx.permissions
    const mayList = ctx.me.isSuperuser || codes.has(listing)
    const shown = mayList ? resource : fewer
    const known = mayList || !permitted ? (query: ListQuery) => query : await permitted(ctx)
    const narrow = (query: ListQuery) => {
      const ids = ordered(known(query.clearSelect().select('t.id')), shown, params).limit(most)
      return query.where('t.id', 'in', ids as never as ListQuery)
    }
    return { ctx, resource: shown, narrow }
  }
}
