import { errors } from '@castellan/contract/messages/errors'
import { keyOf, normalUuid } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { invalid, quoted, text as say } from '../../kernel/module/errors.ts'

/** Ids of a list in a body; anything else is an error of that field. */
export function idsIn(body: unknown, field: string): string[] {
  const sent = objectOf(body)[field]
  if (!Array.isArray(sent)) throw invalid({ [field]: [say(errors.required)] })
  return sent.map((item) => {
    const id = normalUuid(keyOf(item))
    if (!id) throw invalid({ [field]: [say(errors.not_a_uuid, { input: quoted(item) })] })
    return id
  })
}
