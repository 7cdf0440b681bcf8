import { isObject } from '../../kernel/fields/safe-lookup.ts'
import { parseJson } from '../../kernel/untrusted/json.ts'

/** What the starter of a job is asked for. */
export interface ParameterDefinition {
  readonly label: string
  readonly type: 'text' | 'select' | 'node' | 'asset' | 'secret'
  readonly default?: string
  readonly required?: boolean
  readonly options?: readonly { label: string; value: string }[]
}
export type ParameterDefinitions = Readonly<Record<string, ParameterDefinition>>

const kinds: readonly string[] = ['text', 'select', 'node', 'asset', 'secret']
const mostParameters = 50
const longestValue = 4096

/** Names that a command can refer to. Those of the system itself begin with `jms_`. */
const nameShape = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

const parsed = (input: unknown): unknown => {
  if (typeof input !== 'string') return input
  if (input.trim() === '') return {}
  try {
    return parseJson(input)
  } catch {
    return undefined
  }
}

function optionsOf(given: unknown): { label: string; value: string }[] | undefined {
  if (!Array.isArray(given)) return undefined
  return given.flatMap((one) => {
    if (typeof one === 'string') return [{ label: one, value: one }]
    if (!isObject(one)) return []
    const value = String(one.value ?? '')
    return [{ label: String(one.label ?? value), value }]
  })
}

/** The parameters that a job defines, as an object or as its JSON text; a word about what is wrong with them. */
export function parameterDefinitions(input: unknown): ParameterDefinitions | string {
  const given = parsed(input)
  if (!isObject(given)) return 'JSON'
  const entries = Object.entries(given)
  if (entries.length > mostParameters) return String(mostParameters)
  const found: Record<string, ParameterDefinition> = {}
  for (const [name, one] of entries) {
    if (!nameShape.test(name) || name.startsWith('jms_') || !isObject(one)) return name.slice(0, 64)
    const type = String(one.type ?? 'text')
    const options = optionsOf(one.options)
    if (type === 'select' && !options?.length) return name
    found[name] = {
      label: String(one.label ?? name).slice(0, 128),
      // The v3 console shows every other kind as text.
      type: (kinds.includes(type) ? type : 'text') as ParameterDefinition['type'],
      ...(one.default === undefined || one.default === null ? {} : { default: String(one.default) }),
      required: one.required === true,
      ...(options ? { options } : {}),
    }
  }
  return found
}

/** What is wrong with the value of one parameter. */
export type ParameterProblem = { name: string; label: string; kind: 'missing' | 'not_offered' | 'too_long' }

/** Values of the defined parameters: the sent ones, else the defaults. What a job does not define is ignored. */
export function parameterValues(
  definitions: ParameterDefinitions,
  sent: Readonly<Record<string, unknown>>,
): { values: Record<string, string>; secrets: string[]; problem: ParameterProblem | undefined } {
  const values: Record<string, string> = {}
  const secrets: string[] = []
  for (const [name, { label, type, default: usual, required, options }] of Object.entries(definitions)) {
    const given = Object.hasOwn(sent, name) ? sent[name] : undefined
    const value = given === undefined || given === null || given === '' ? (usual ?? '') : String(given)
    const wrong = (kind: ParameterProblem['kind']) => ({ values, secrets, problem: { name, label, kind } })
    if (value === '' && required) return wrong('missing')
    if (!fits(value)) return wrong('too_long')
    if (type === 'select' && value !== '' && !options?.some((one) => one.value === value)) return wrong('not_offered')
    if (type === 'secret') secrets.push(name)
    values[name] = value
  }
  return { values, secrets, problem: undefined }
}

/**
 * Values of a job that defines no parameters: what the caller calls variables, within the bounds of those that are defined.
 */
export function freeValues(sent: Readonly<Record<string, unknown>>): {
  values: Record<string, string>
  problem: ParameterProblem | undefined
} {
  const plain = Object.entries(sent).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  const values = Object.fromEntries(plain.map(([name, value]) => [name, String(value)]))
  const bad = plain.find(([name, value], at) => at >= mostParameters || !fits(name) || !fits(String(value)))
  const label = bad?.[0].slice(0, 64) ?? ''
  return { values, problem: bad ? { name: label, label, kind: 'too_long' } : undefined }
}

const fits = (value: string): boolean => value.length <= longestValue && !value.includes('\0')

/** Parameters as a call sends them: an object, or its JSON text. Other values count as none. */
export const sentParameters = (input: unknown): Record<string, unknown> => {
  const given = parsed(input)
  return isObject(given) ? given : {}
}
