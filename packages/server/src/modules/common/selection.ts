import { errors } from '@castellan/contract/messages/errors'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { defineRoute } from '../../kernel/http/route.ts'
import { invalid, text } from '../../kernel/module/errors.ts'
import { keepSelection } from '../../kernel/resource/resource-routes.ts'

/** Maximum number of ids in a selection. */
const most = 100_000

/** Stores ids under a token, so that a selection of thousands fits into the URL of an export or a bulk call. */
export const selectionRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/common/resources/cache/',
  requires: 'valid',
  summary: 'Store a selection for five minutes',
  handle: async ({ ctx, request }) => {
    const { resources } = objectOf(request.body)
    const ids = (resources === undefined || resources === null ? [] : [resources].flat()).map(String)
    if (ids.length > most) throw invalid({ resources: [text(errors.too_many_rows, { max: most })] })
    return { spm: await keepSelection(ctx, ids) }
  },
})
