import { appletEditions, appletTypes } from '@castellan/contract/choices/terminal'
import type { Language } from '@castellan/contract/messages'
import { appletMessages as texts } from '@castellan/contract/messages/applets'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import { isObject, own } from '../../../kernel/fields/safe-lookup.ts'
import { unseenCharacters } from '../../../kernel/fields/scalars.ts'
import { packageError } from './package-error.ts'

/** Bytes of a YAML file of a package. */
export const largestYaml = 256 * 1024

/** What an applet's row takes from its package. */
export interface Manifest {
  name: string
  display_name: string
  version: string
  author: string
  type: 'general' | 'web'
  edition: 'community' | 'enterprise'
  is_active: boolean
  can_concurrent: boolean
  protocols: string[]
  tags: string[]
  comment: string
}

/** The object in a YAML file. Aliases, by which a short text becomes a huge object, are refused. */
export async function readYaml(file: string, bytes: Buffer): Promise<StoredRow> {
  const { parse } = await import('yaml')
  let content: unknown
  try {
    content = parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), { maxAliasCount: 0, logLevel: 'silent' })
  } catch {
    throw packageError(texts.package_yaml, { file })
  }
  if (!isObject(content)) throw packageError(texts.package_yaml, { file })
  return content as StoredRow
}

const wrong = (key: string) => packageError(texts.package_key, { file: 'manifest.yml', key })

function textOf(content: StoredRow, key: string, max: number, fallback?: string): string {
  const value = own(content, key) ?? fallback
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text.length > max || (key !== 'comment' && unseenCharacters.test(text)))
    throw wrong(key)
  return text.trim()
}

function choiceOf<K extends string>(
  content: StoredRow,
  key: string,
  choices: Readonly<Record<K, unknown>>,
  fallback: K,
) {
  const value = own(content, key) ?? fallback
  if (typeof value !== 'string' || !Object.hasOwn(choices, value)) throw wrong(key)
  return value as K
}

function flagOf(content: StoredRow, key: string, fallback: boolean): boolean {
  const value = own(content, key) ?? fallback
  if (typeof value !== 'boolean') throw wrong(key)
  return value
}

function listOf(content: StoredRow, key: string): string[] {
  const value = own(content, key) ?? []
  if (!Array.isArray(value) || value.length > 50) throw wrong(key)
  return value.map((item) => {
    if (typeof item !== 'string' || item.length > 64 || unseenCharacters.test(item)) throw wrong(key)
    return item
  })
}

/** `{{ 'text' | trans }}` is the text of the section `i18n` in the language of the installation. */
const translated = /\{\{\s*(?:'([^']*)'|"([^"]*)")\s*\|\s*trans\s*\}\}/g

function translator(content: StoredRow, language: Language): (text: string) => string {
  const catalogue = own(content, 'i18n')
  return (text) =>
    text.replace(translated, (_all, single?: string, double?: string) => {
      const key = single ?? double ?? ''
      const entry = isObject(catalogue) ? own(catalogue as StoredRow, key) : undefined
      const found = isObject(entry) ? own(entry as StoredRow, language) : undefined
      return typeof found === 'string' ? found : key
    })
}

/**
 * The manifest of a package.
 * @throws 400 that names the wrong key
 */
export function readManifest(content: StoredRow, language: Language): Manifest {
  const say = translator(content, language)
  const name = own(content, 'name')
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,128}$/.test(name)) throw packageError(texts.package_name)
  const shown = (key: string, max: number, fallback: string) => say(textOf(content, key, 4096, fallback)).slice(0, max)
  return {
    name,
    display_name: shown('display_name', 128, name) || name,
    version: textOf(content, 'version', 16, '1.0'),
    author: textOf(content, 'author', 128, ''),
    type: choiceOf(content, 'type', appletTypes, 'general') as Manifest['type'],
    edition: choiceOf(content, 'edition', appletEditions, 'community') as Manifest['edition'],
    is_active: flagOf(content, 'is_active', true),
    can_concurrent: flagOf(content, 'can_concurrent', false),
    protocols: listOf(content, 'protocols'),
    tags: listOf(content, 'tags').map(say),
    comment: shown('comment', 4096, ''),
  }
}

const programTypes = new Set(['exe', 'zip', 'msi', 'manual'])

/** @throws 400 unless the file says how the program of the applet is installed */
export function checkSetup(content: StoredRow): void {
  const type = own(content, 'type')
  if (typeof type !== 'string' || !programTypes.has(type)) throw packageError(texts.package_setup_type)
}
