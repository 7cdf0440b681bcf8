/** Declaration of one setting. */
import type { Catalogue } from './messages.ts'

export type SettingType =
  | 'string'
  | 'text'
  | 'url'
  | 'phone'
  | 'integer'
  | 'boolean'
  | 'choice'
  | 'list'
  | 'json'
  | 'image'
  | 'announcement'

/** One setting. Label and help text are in `messages/settings.ts` under its name and `<name>.help`. */
export interface SettingShape {
  readonly name: string
  readonly type: SettingType
  /** Used until another value is stored. */
  readonly default: unknown
  /** Forms propose the default. */
  readonly proposed?: true
  /** The value a form proposes if it differs from the default. */
  readonly formDefault?: string | number | boolean
  /** Required in a PUT request. */
  readonly required?: true
  readonly blank?: true
  readonly nullable?: true
  /** Encrypted when stored and never returned. An empty value keeps the stored one. */
  readonly secret?: true
  readonly readOnly?: true
  /** Part of `GET settings/public/`, in the same groups as in the v3 API. */
  readonly public?: true
  readonly min?: number
  readonly max?: number
  /** Length of the text, or of each item of a list. */
  readonly maxLength?: number
  readonly maxItems?: number
  readonly choices?: Catalogue
}
