import type { SettingType } from '@castellan/contract/setting-shape'
import { booleanOf } from '@castellan/contract/truth'

/** A setting as it is declared: in the contract's list, or by a module. */
export interface SettingDeclaration {
  readonly name: string
  readonly default: unknown
  readonly secret?: boolean
  /** Settings of the contract have a kind. Those without one are the system's own: the environment does not set them. */
  readonly type?: SettingType
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The text of a variable as the setting's kind; `undefined` when it is none. */
function read({ type, default: otherwise }: SettingDeclaration, text: string): unknown {
  switch (type) {
    case 'boolean':
      return booleanOf(text)
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? Number(text) : undefined
    case 'choice':
      return typeof otherwise === 'number' ? (/^[+-]?\d+$/.test(text) ? Number(text) : undefined) : text
    case 'list': {
      const list = text.startsWith('[') ? jsonOf(text) : text.split(',').map((item) => item.trim())
      return Array.isArray(list) ? list : undefined
    }
    case 'json':
    case 'announcement':
      return jsonOf(text)
    default:
      return text
  }
}

const kinds: Partial<Record<NonNullable<SettingDeclaration['type']>, string>> = {
  boolean: 'true or false',
  integer: 'a whole number',
  choice: 'a whole number',
  list: 'a list: words between commas, or JSON',
}

/**
 * What the environment's variable of a setting's name says, as the setting's kind; `undefined` when it is not set or
 * empty, or when the setting is none that the environment may set.
 * @throws Error with a sentence that names the variable and what it must be; a secret's value is not in it
 */
export function valueFromEnvironment(declaration: SettingDeclaration, env: NodeJS.ProcessEnv): unknown {
  const { name, type, secret } = declaration
  const text = type === undefined ? undefined : env[name]?.trim()
  if (!text) return undefined
  const value = read(declaration, text)
  if (value !== undefined) return value
  throw new Error(`${name} must be ${(type && kinds[type]) ?? 'JSON'}${secret ? '' : `, not "${text}"`}.`)
}
