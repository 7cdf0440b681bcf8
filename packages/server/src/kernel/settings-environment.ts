import type { SettingType } from '@castellan/contract/setting-shape'
import { booleanOf } from '@castellan/contract/truth'

/** A declared setting, of the contract's list or of a module. */
export interface SettingDeclaration {
  readonly name: string
  readonly default: unknown
  readonly secret?: boolean
  /** Type of a contract setting. Settings without one are internal; the environment does not set them. */
  readonly type?: SettingType
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a variable by the setting's type; undefined when it does not match. */
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
 * The value of the environment variable named like the setting; undefined when it is not set or empty, or when the
 * environment may not set this setting.
 * @throws Error with a sentence that names the variable and the expected type, without the value of a secret
 */
export function valueFromEnvironment(declaration: SettingDeclaration, env: NodeJS.ProcessEnv): unknown {
  const { name, type, secret } = declaration
  const text = type === undefined ? undefined : env[name]?.trim()
  if (!text) return undefined
  const value = read(declaration, text)
  if (value !== undefined) return value
  throw new Error(`${name} must be ${(type && kinds[type]) ?? 'JSON'}${secret ? '' : `, not "${text}"`}.`)
}
