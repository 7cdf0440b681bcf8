import { errors } from '@castellan/contract/messages/errors'
import { type SettingDeclaration, settingOf } from '@castellan/contract/settings'
import { notAnObject, type Problem, Rejected, reject, text as say } from '../../kernel/errors.ts'
import { base, type Field } from '../../kernel/fields/field.ts'
import {
  addressItem,
  boolean,
  describedAs,
  integer,
  json,
  rawChoice,
  stringList,
  text,
} from '../../kernel/fields/index.ts'
import { fieldsInfo } from '../../kernel/metadata.ts'
import { isObject } from '../../kernel/safe-lookup.ts'

function parseUrl(input: unknown, blank: boolean): string {
  if (typeof input !== 'string') return reject(errors.not_a_string)
  const value = input.trim()
  if (value === '') return blank ? '' : reject(errors.blank)
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) return reject(errors.not_a_url)
  return value
}

const announcementFields = {
  ID: text(),
  SUBJECT: text({ max: 1024, required: true }),
  CONTENT: text({ required: true }),
  LINK: describedAs(
    { ...text({ nullable: true }), type: 'url' as const, parse: (input: unknown) => parseUrl(input, true) },
    { default: '' },
  ),
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

const addressLists = new Set(['SECURITY_LOGIN_IP_WHITE_LIST', 'SECURITY_LOGIN_IP_BLACK_LIST'])

function fieldOfType(setting: SettingDeclaration): Field {
  const options = {
    required: setting.required ?? false,
    nullable: setting.nullable ?? false,
    readOnly: setting.readOnly ?? false,
    writeOnly: setting.secret ?? false,
    ...(setting.blank === undefined && !setting.required ? { blank: true } : { blank: setting.blank ?? false }),
  }
  const max = setting.maxLength === undefined ? {} : { max: setting.maxLength }
  switch (setting.type) {
    case 'integer':
      return integer({
        ...options,
        ...(setting.min === undefined ? {} : { min: setting.min }),
        ...(setting.max === undefined ? {} : { max: setting.max }),
      })
    case 'boolean':
      return boolean(options)
    case 'choice':
      return rawChoice(setting.choices ?? {}, { ...options, numeric: typeof setting.default === 'number' } as never)
    case 'list':
      return stringList({
        ...options,
        ...max,
        ...(setting.maxItems === undefined ? {} : { maxItems: setting.maxItems }),
        ...(addressLists.has(setting.name) ? { item: addressItem } : {}),
      })
    case 'json':
      return json(options)
    case 'url':
      return { ...text(options), type: 'url', parse: (input) => parseUrl(input, options.blank) }
    case 'announcement':
      return {
        ...base('nested object', options),
        parse: parseAnnouncement,
        meta: (ctx) => ({ children: fieldsInfo(ctx, 'settings', announcementFields) }),
      }
    default:
      return text({ ...options, ...max, verbatim: setting.secret ?? false })
  }
}

/** The field of a setting, for validation and OPTIONS. */
export function settingField(name: string): Field {
  const setting = settingOf(name)
  if (!setting) throw new Error(`No setting is called ${name}.`)
  const value = setting.formDefault ?? (setting.proposed ? setting.default : undefined)
  const field: Field = { ...fieldOfType(setting), default: value, resets: false, secret: setting.secret ?? false }
  return value === '' ? describedAs(field, { default: '' }) : field
}
