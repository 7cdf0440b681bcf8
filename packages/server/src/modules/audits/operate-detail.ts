import { systemOrgId } from '@castellan/contract/ids'
import { auditsMessages as texts } from '@castellan/contract/messages/audits'
import { normalUuid } from '../../kernel/fields/index.ts'
import { defineRoute } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { notFound } from '../../kernel/module/errors.ts'
import { fieldOfColumn, labelOf, nameOf } from '../../kernel/module/texts.ts'
import { decoded } from '../../kernel/resource/repository.ts'
import { allResources, type Resource } from '../../kernel/resource/resource.ts'
import { serializeOne } from '../../kernel/resource/serialize.ts'
import { type OperateRow, operateLog, type StoredDiff } from './operate-log.ts'

/** Text of one item or choice. */
const wordOf = (item: unknown): string =>
  typeof item === 'object' && item !== null && 'label' in item ? String(item.label) : JSON.stringify(item)

/** One value as readable text. */
function shown(ctx: Context, resource: Resource | undefined, key: string, value: unknown): string {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return texts.empty[ctx.language]
  const field = resource?.stored.get(key)
  const wire = field?.wire && typeof value !== 'string' ? field.wire(value, ctx, {}) : value
  const labelled = field?.type === 'labeled_choice' && field.wire ? field.wire(value, ctx, {}) : wire
  if (typeof labelled === 'boolean') return texts[labelled ? 'yes' : 'no'][ctx.language]
  if (Array.isArray(labelled) && labelled.every((item) => typeof item !== 'object')) return labelled.join(', ')
  if (Array.isArray(labelled)) return labelled.map(wordOf).join(', ')
  if (typeof labelled === 'object' && labelled !== null) return wordOf(labelled)
  return String(labelled)
}

function diffShown(ctx: Context, diff: StoredDiff | null): { field: string; before: string; after: string }[] {
  if (!diff) return []
  if (diff.tooLarge) {
    const tip = texts.diff_too_large[ctx.language]
    return [{ field: '-', before: tip, after: tip }]
  }
  const resource = allResources().find(({ key }) => key === diff.model)
  const keys = [...new Set([...Object.keys(diff.before), ...Object.keys(diff.after)])]
  return keys.map((key) => ({
    field: resource ? labelOf(resource, fieldOfColumn(resource, key), ctx.language) : key,
    before: shown(ctx, resource, key, diff.before[key]),
    after: shown(ctx, resource, key, diff.after[key]),
  }))
}

async function entryOf(ctx: Context, segment: string | undefined): Promise<OperateRow> {
  const id = normalUuid(segment)
  const query = ctx.acrossOrganizations
    .selectFrom(operateLog.table)
    .selectAll()
    .where('id', '=', id ?? '')
  const row = await (ctx.isRootOrg ? query : query.where('org_id', 'in', [ctx.orgId, systemOrgId])).executeTakeFirst()
  if (!row) throw notFound(nameOf(operateLog))
  return decoded(operateLog, row)
}

/** One entry, or its difference. */
export const operateDetailRoute = defineRoute({
  method: 'GET',
  path: `${operateLog.url}:id/`,
  requires: 'audits.view_operatelog',
  summary: 'One entry of the operate log; with type=action_detail its changes',
  async handle({ ctx, request }) {
    const row = await entryOf(ctx, request.params.id)
    if (request.query.type === 'action_detail') return { diff: diffShown(ctx, row.diff) }
    return serializeOne(ctx, operateLog, row)
  },
})
