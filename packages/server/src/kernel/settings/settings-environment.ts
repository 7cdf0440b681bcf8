import { booleanOf } from '@castellan/contract/truth'

/** How the text of an environment's variable is read. */
export type EnvironmentKind = 'boolean' | 'integer' | 'list' | 'json' | 'text'

/** What the settings store needs of a setting. */
export interface SettingDeclaration {
  readonly name: string
  readonly default: unknown
  readonly secret: boolean
  /** Absent: the environment does not set it. */
  readonly environment: EnvironmentKind | undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The text of a variable as the setting's kind; `undefined` when it is none. */
function read(kind: EnvironmentKind, text: string): unknown {
  switch (kind) {
    case 'boolean':
      return booleanOf(text)
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? Number(text) : undefined
    case 'list': {
      const list = text.startsWith('[') ? jsonOf(text) : text.split(',').map((item) => item.trim())
      return Array.isArray(list) ? list : undefined
    }
    case 'json':
      return jsonOf(text)
    case 'text':
      return text
  }
}

const kinds: Readonly<Record<EnvironmentKind, string>> = {
  boolean: 'true or false',
  integer: 'a whole number',
  list: 'a list: words between commas, or JSON',
  json: 'JSON',
  text: 'text',
}

/**
 * The value of the environment variable named like the setting; undefined when it is not set or empty, or when the
 * environment may not set this setting.
 * @throws Error with a sentence that names the variable and the expected type, without the value of a secret
 */
export function valueFromEnvironment(declaration: SettingDeclaration, env: NodeJS.ProcessEnv): unknown {
  const { name, environment: kind, secret } = declaration
  const text = kind === undefined ? undefined : env[name]?.trim()
  if (!kind || !text) return undefined
  const value = read(kind, text)
  if (value !== undefined) return value
  throw new Error(`${name} must be ${kinds[kind]}${secret ? '' : `, not "${text}"`}.`)
}
