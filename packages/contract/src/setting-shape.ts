/** What is said about one setting. */
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

/** One setting. Its label and hint stand in `messages/settings.ts` under its name and `<name>.help`. */
export interface SettingShape {
  readonly name: string
  readonly type: SettingType
  /** In force until somebody stores another value. */
  readonly default: unknown
  /** A form proposes the default. */
  readonly proposed?: true
  /** What a form proposes where that differs from the default. */
  readonly formDefault?: string | number | boolean
  /** Demanded by a PUT. */
  readonly required?: true
  readonly blank?: true
  readonly nullable?: true
  /** Sealed when stored, never answered; an empty value keeps the old one. */
  readonly secret?: true
  readonly readOnly?: true
  /** Part of `GET settings/public/` (grouped there where the contract groups it). */
  readonly public?: true
  readonly min?: number
  readonly max?: number
  /** Of the text, or of each item of a list. */
  readonly maxLength?: number
  readonly maxItems?: number
  readonly choices?: Catalogue
}
