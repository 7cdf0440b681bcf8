import { generateKeyPairSync, randomInt } from 'node:crypto'
import type { SecretType } from '@castellan/contract/protocols'
import { readPrivateKey } from './ssh-key.ts'

/** The result of checking a secret: an error, or the form to store. */
export type CheckedSecret =
  | { problem: 'template_syntax' | 'private_key' }
  | { problem?: undefined; secret: string; fingerprint: string }

/** A password must not look like a template, because other automation tools would expand it. */
const templateSyntax = /\{\{|\}\}|\{%|%\}/

/** Validates a secret by its type. SSH keys are stored without their passphrase. */
export function checkSecret(type: SecretType, secret: string, passphrase: string | undefined): CheckedSecret {
  if (type === 'ssh_key') {
    const key = readPrivateKey(secret, passphrase)
    return key ? { secret: key.pem, fingerprint: key.fingerprint } : { problem: 'private_key' }
  }
  if (type === 'password' && templateSyntax.test(secret)) return { problem: 'template_syntax' }
  return { secret, fingerprint: '' }
}

export interface PasswordRules {
  length?: number
  lowercase?: boolean
  uppercase?: boolean
  digit?: boolean
  symbol?: boolean
  exclude_symbols?: string
}

const sets = {
  lowercase: 'abcdefghijklmnopqrstuvwxyz',
  uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  digit: '0123456789',
} as const
const symbols = '!#$%&()*+,-.:;<=>?@[]^_~'

const pick = (alphabet: string): string => alphabet[randomInt(alphabet.length)] ?? ''

/**
 * A random password by rules: it contains every required kind of character, no symbol first or last, and nothing that
 * looks like a template. Undefined when the rules cannot be met (shorter than 4, or symbols only).
 */
export function randomPassword(rules: PasswordRules = {}): string | undefined {
  const length = rules.length ?? 30
  const without = (alphabet: string) => [...alphabet].filter((one) => !rules.exclude_symbols?.includes(one)).join('')
  const kinds = (['lowercase', 'uppercase', 'digit'] as const)
    .filter((kind) => rules[kind] ?? true)
    .map((kind) => without(sets[kind]))
    .filter((alphabet) => alphabet !== '')
  if (!(length >= 4) || kinds.length === 0) return undefined
  const signs = without(symbols)
  const signCount = (rules.symbol ?? true) && signs !== '' ? Math.floor(length / 16) + 1 : 0
  const letters = kinds.map(pick)
  while (letters.length < length - signCount) letters.push(pick(kinds.join('')))
  shuffle(letters)
  for (let placed = 0; placed < signCount; placed++) letters.splice(1 + randomInt(letters.length - 1), 0, pick(signs))
  const password = letters.slice(0, length).join('')
  return templateSyntax.test(password) ? randomPassword(rules) : password
}

function shuffle(list: string[]): void {
  for (let at = list.length - 1; at > 0; at--) {
    const other = randomInt(at + 1)
    ;[list[at], list[other]] = [list[other] ?? '', list[at] ?? '']
  }
}

/** A random secret of a type; undefined for types that cannot be random, or rules that cannot be met. */
export function randomSecret(type: SecretType, rules: PasswordRules | null | undefined): string | undefined {
  if (type === 'password') return randomPassword(rules ?? {})
  if (type !== 'ssh_key') return undefined
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return privateKey
}
