/** The request body of a form. */
import type { FieldInfo } from '../api/metadata.ts'
import { encryptSecret } from '../api/secret.ts'
import type { FieldSpec, Source, Values, WidgetName } from './spec.ts'
import { get, set, toWire } from './values.ts'

const encrypted = new Set(['password', 'token', 'private_key'])

/** Values of a form. */
interface Filled {
  names: readonly string[]
  values: Values
  touched: ReadonlySet<string>
  fieldOf: (name: string) => FieldSpec
  infoOf: (name: string) => FieldInfo
  kindOf: (name: string) => WidgetName
  sourceOf: (name: string) => Source | undefined
}

/** Values in wire format with encrypted secrets. Display-only and empty optional values are omitted. */
export async function bodyOf({ names, values, touched, ...about }: Filled): Promise<Record<string, unknown>> {
  let out: Values = {}
  for (const name of names) {
    const field = about.fieldOf(name)
    const info = about.infoOf(name)
    if (field.sending?.local || info.read_only) continue
    const value = get(values, name)
    const choices = about.kindOf(name) === 'choices'
    if (value === undefined && !touched.has(name) && !choices) continue
    if (info.write_only && value === '' && !touched.has(name)) continue
    const plain = toWire(choices ? (value ?? []) : value, field, info, about.sourceOf(name))
    const seal = (field.sending?.secret ?? encrypted.has(name)) && typeof plain === 'string'
    out = set(out, name, seal ? await encryptSecret(plain) : plain)
  }
  return { ...out }
}

/** A body with files is sent as multipart form data. */
export function asSent(body: Record<string, unknown>): Record<string, unknown> | FormData {
  if (!Object.values(body).some((value) => value instanceof File)) return body
  const form = new FormData()
  for (const [key, value] of Object.entries(body)) {
    if (value instanceof File) form.set(key, value)
    else if (value !== undefined && value !== null)
      form.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return form
}
