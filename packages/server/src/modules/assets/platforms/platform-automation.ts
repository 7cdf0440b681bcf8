import { automationItems } from '@castellan/contract/automation-methods'
import type { PlatformAutomation } from '@castellan/contract/builtin-platforms'
import { errors } from '@castellan/contract/messages/errors'
import { boolean, booleanOf, type Field, integer, json, type StoredRow, text } from '../../../kernel/fields/index.ts'
import { Rejected, text as say } from '../../../kernel/module/errors.ts'
import { fieldsInfo } from '../../../kernel/resource/metadata.ts'

/** The complete automation settings of a platform: flags, methods and parameters by the contract's names. */
export type Automation = { ansible_enabled: boolean; ansible_config: StoredRow } & StoredRow

/** Maximum length of a method's id. Characters. */
const longestMethod = 32
const keys = automationItems.flatMap((item) => [`${item}_enabled`, `${item}_method`, `${item}_params`])

export function completeAutomation(stored: StoredRow | null | undefined): Automation {
  const full: Automation = { ansible_enabled: false, ansible_config: {} }
  for (const key of keys) full[key] = key.endsWith('_enabled') ? false : key.endsWith('_method') ? null : {}
  return { ...full, ...stored }
}

/** The stored form of a built-in platform's automation. */
export function automationOf({ ansibleEnabled, ansibleConfig, items }: PlatformAutomation): Automation {
  const stored: StoredRow = { ansible_enabled: ansibleEnabled, ansible_config: ansibleConfig }
  for (const item of automationItems) {
    const chosen = items[item]
    stored[`${item}_enabled`] = chosen !== undefined
    stored[`${item}_method`] = chosen?.method ?? null
    stored[`${item}_params`] = chosen?.params ?? {}
  }
  return completeAutomation(stored)
}

function parsedValue(key: string, value: unknown): unknown {
  if (key.endsWith('_enabled')) {
    const flag = booleanOf(value)
    if (flag === undefined) throw new Rejected({ [key]: [say(errors.not_a_boolean)] })
    return flag
  }
  if (key.endsWith('_method')) {
    if (value === null || value === '') return null
    if (typeof value !== 'string') throw new Rejected({ [key]: [say(errors.not_a_string)] })
    if (value.length > longestMethod) throw new Rejected({ [key]: [say(errors.max_length, { max: longestMethod })] })
    return value
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Rejected({ [key]: [say(errors.not_a_dictionary, { type: typeof value })] })
  return value
}

const described: Record<string, Field> = {
  id: integer({ readOnly: true }),
  ansible_enabled: boolean(),
  ansible_config: json(),
  ...Object.fromEntries(
    automationItems.flatMap((item): [string, Field][] => [
      [`${item}_enabled`, boolean()],
      [`${item}_method`, text({ max: longestMethod, nullable: true })],
      [`${item}_params`, json()],
    ]),
  ),
}

/** Only sent keys change; the platform's hooks complete the value. */
export const automationField: Field<StoredRow, 'own'> = {
  ...json<StoredRow>({ default: {} }),
  type: 'nested object',
  resets: false,
  noExport: true,
  parse: (input) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      throw new Rejected({ non_field_errors: [say(errors.not_a_dictionary, { type: typeof input })] })
    const known: StoredRow = {}
    for (const [key, value] of Object.entries(input))
      if (key === 'ansible_enabled' || key === 'ansible_config' || keys.includes(key))
        known[key] = parsedValue(key, value)
    return known
  },
  wire: (value, _ctx, row) => ({ id: row.id, ...completeAutomation(value as StoredRow) }),
  meta: (ctx) => ({ children: fieldsInfo(ctx, 'assets', described) }),
}
