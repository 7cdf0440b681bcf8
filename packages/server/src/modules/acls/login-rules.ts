import { errors } from '@castellan/contract/messages/errors'
import { inAddressGroup, isAddressPattern } from '../../db/addresses.ts'
import type { Field, StoredRow } from '../../kernel/fields/field.ts'
import { json } from '../../kernel/fields/index.ts'
import { isObject } from '../../kernel/fields/safe-lookup.ts'
import { localStamp } from '../../kernel/fields/timestamps.ts'
import { notAnObject, quoted, Rejected, text } from '../../kernel/module/errors.ts'

/** Address and time conditions of a rule. */
export interface LoginRules {
  ip_group: string[]
  /** Sunday is 0. Ranges are `HH:MM~HH:MM`, joined by `、`; an end of 00:00 is midnight. */
  time_period: { id: number; value: string }[]
}

/** Maximum length of one address, network or range. Characters. */
const longestAddress = 1024

function parsed(input: unknown): LoginRules {
  if (!isObject(input)) throw new Rejected({ non_field_errors: [notAnObject(input)] })
  const { ip_group: group = ['*'], time_period: period = [] } = input
  if (!Array.isArray(group)) throw new Rejected({ ip_group: [text(errors.not_a_list, { type: typeof group })] })
  if (!Array.isArray(period)) throw new Rejected({ time_period: [text(errors.not_a_list, { type: typeof period })] })
  const problems: Record<string, [ReturnType<typeof text>]> = {}
  for (const [index, item] of group.entries())
    if (typeof item !== 'string' || item.length > longestAddress || !isAddressPattern(item))
      problems[index] = [text(errors.not_an_ip_group, { input: quoted(item) })]
  if (Object.keys(problems).length > 0) throw new Rejected({ ip_group: problems })
  return { ip_group: group, time_period: period }
}

const listInfo = (standard: readonly string[], item: StoredRow) => ({
  ...{ type: 'list', required: false, read_only: false, write_only: false, default: standard },
  child: { required: true, read_only: false, write_only: false, ...item },
})

export const loginRulesField = (): Field<LoginRules, 'own'> => ({
  ...json<LoginRules>({ required: true }),
  type: 'nested object',
  parse: parsed,
  meta: () => ({
    children: {
      ip_group: listInfo(['*'], { type: 'string', max_length: longestAddress }),
      time_period: listInfo([], { type: 'field' }),
    },
  }),
})

/** Whether a timestamp is in one of today's ranges; false when the list has no entry for today. */
function inPeriod(period: LoginRules['time_period'], at: number, zone: string): boolean {
  if (period.length === 0) return true
  const [date = '', time = ''] = localStamp(at, zone).split(' ')
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  const now = time.slice(0, 5)
  const ranges = String(period.find((entry) => Number(entry?.id) === weekday)?.value ?? '')
  return ranges.split('、').some((range) => {
    const [start = '', end = ''] = range.split('~').map((part) => part.trim())
    return start !== '' && start <= now && now <= (end === '00:00' ? '24:00' : end)
  })
}

/** Time periods of rules are in the server's time zone. */
export const serverZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Actions with which a rule lets something pass. */
const permissive: ReadonlySet<string> = new Set(['accept', 'notice'])

/** Where and when something happens; without an address nothing is known of the client, as for a schedule. */
export interface Moment {
  readonly ip: string | undefined
  readonly at: number
  readonly zone: string
}

/**
 * Whether the conditions of a rule apply. An empty group matches every address. An address that is unknown is in every
 * group of a rule that restricts, and in none of a rule that lets pass: a run without a client never gains by it.
 */
export function applies(rules: LoginRules, { ip, at, zone }: Moment, action: string): boolean {
  const { ip_group: group } = rules
  const isAny = group.length === 0 || group.includes('*')
  const isThere = isAny || (ip === undefined ? !permissive.has(action) : inAddressGroup(ip, group))
  return isThere && inPeriod(rules.time_period, at, zone)
}
