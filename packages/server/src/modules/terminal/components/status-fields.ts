import { errors } from '@castellan/contract/messages/errors'
import { datetime, describedAs, type Field, float, integer, stringList, uuid } from '../../../kernel/fields/index.ts'
import { reject } from '../../../kernel/module/errors.ts'

/** Maximum length of a session's id in a heartbeat. Characters. */
const longestId = 36

/** The fields of a heartbeat. */
export const beatFields = {
  sessions: describedAs(
    {
      ...stringList({
        required: true,
        writeOnly: true,
        item: (value) => (value.length > longestId ? reject(errors.max_length, { max: longestId }) : value),
      }),
      type: 'field',
    } as Field<string[], 'own'>,
    {
      child: { type: 'string', required: true, read_only: false, write_only: false, max_length: longestId },
    },
  ),
  cpu_load: float({ default: 0 }),
  memory_used: float({ default: 0 }),
  disk_used: float({ default: 0 }),
  session_online: describedAs(integer({ default: 0, min: -2147483648, max: 2147483647 }), { default: undefined }),
}

/** A heartbeat for OPTIONS, with the fields the server adds. */
export const statusFields: Readonly<Record<string, Field>> = {
  id: uuid(),
  ...beatFields,
  date_created: datetime({ readOnly: true }),
  terminal: { ...uuid(), type: 'field' },
}
