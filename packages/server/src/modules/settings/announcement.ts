import { errors } from '@castellan/contract/messages/errors'
import { base, type Field } from '../../kernel/fields/field.ts'
import { describedAs, text, url } from '../../kernel/fields/index.ts'
import { isObject } from '../../kernel/fields/safe-lookup.ts'
import { notAnObject, type Problem, Rejected, text as say } from '../../kernel/module/errors.ts'
import { fieldsInfo } from '../../kernel/resource/metadata.ts'

/** The notice shown on top of every page. Every change gives it a new `ID`. */
interface Announcement {
  ID: string
  SUBJECT: string
  CONTENT: string
  LINK: string
}

const announcementFields = {
  ID: text(),
  SUBJECT: text({ max: 1024, required: true }),
  CONTENT: text({ required: true }),
  LINK: describedAs(url({ nullable: true }), { default: '' }),
}

function parseAnnouncement(input: unknown, ctx: Parameters<NonNullable<Field['parse']>>[1]) {
  if (!isObject(input)) throw new Rejected([notAnObject(input)])
  const problems: Record<string, Problem> = {}
  const value: Record<string, unknown> = { ID: crypto.randomUUID(), LINK: '' }
  for (const [name, field] of Object.entries(announcementFields).filter(([key]) => key !== 'ID')) {
    try {
      if (input[name] === undefined || input[name] === null) {
        if (field.required) throw new Rejected([say(errors.required)])
      } else value[name] = field.parse?.(input[name], ctx)
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      problems[name] = [error.problem].flat()
    }
  }
  if (Object.keys(problems).length > 0) throw new Rejected(problems)
  return value
}

/** The announcement as its setting; an empty one has no parts. */
export const announcementField: Field<Partial<Announcement>, 'own'> = {
  ...base('nested object', { required: true, default: {} }),
  parse: parseAnnouncement,
  wire: (value) => ({ ID: null, SUBJECT: '', CONTENT: '', LINK: '', ...(value as object) }),
  meta: (ctx) => ({ children: fieldsInfo(ctx, 'settings', announcementFields) }),
}
