import { readStored } from '../../browser/local-storage.ts'
import type { Remembered } from './choice.ts'

/** Connection choices stored in this browser. Names only: secrets are never stored. */

const choiceKey = (asset: string) => `JMS_PRE_${asset}`
const typedKey = (asset: string) => `JMS_MA_${asset}`
const mostTyped = 10

export function rememberedChoice(asset: string): Remembered | undefined {
  const value = readStored<Partial<Remembered>>(choiceKey(asset))
  const complete = value?.account?.alias && value.protocol?.name && value.connectMethod?.value
  return complete ? ({ connectOption: {}, ...value } as Remembered) : undefined
}

export function rememberChoice(asset: string, choice: Remembered) {
  localStorage.setItem(choiceKey(asset), JSON.stringify(choice))
}

/** Usernames entered for an asset before, newest first. */
export function typedNames(asset: string): string[] {
  const entries = readStored<unknown>(typedKey(asset))
  if (!Array.isArray(entries)) return []
  return entries.flatMap((entry: { username?: unknown }) =>
    typeof entry?.username === 'string' ? [entry.username] : [],
  )
}

export function rememberTyped(asset: string, username: string) {
  if (!username) return
  const names = [username, ...typedNames(asset).filter((name) => name !== username)].slice(0, mostTyped)
  const entries = names.map((name) => ({ alias: '@INPUT', username: name, secret: '', rememberAuth: false }))
  localStorage.setItem(typedKey(asset), JSON.stringify(entries))
}
