import { SystemFailure } from '../account-system.ts'

/** Characters of the longest username that POSIX systems have. */
const longestName = 256
/** A name that is no option, has no separator of a list of accounts, and cannot be taken for a number of an account. */
const accountName = /^(?!\d+$)[\p{L}\p{N}_][\p{L}\p{N}_.@\\$+-]*$/u
/** A name that every system lets an account be created with. */
const newAccountName = /^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/
/** `sudo` reads these as `ALL` or as the name of a list of accounts. */
const aliasName = /^[A-Z][A-Z0-9_]*$/
const controlCharacter = /\p{Cc}/u
/** No separator of a list of accounts, no variable of a program that reads it. */
const folderPath = /^\/[^\p{Cc}:,\s'"\\$`]*$/u
const groupName = /^[\p{L}\p{N}_][\p{L}\p{N}_.@\\$+-]*$/u

const badName = (detail: string) => new SystemFailure('bad_name', detail)

/** @throws SystemFailure `bad_name` */
export function demandAccountName(name: string): void {
  if (name.length > longestName || !accountName.test(name))
    throw badName('the username is empty or has characters that a POSIX system does not allow')
}

export interface NewAccount {
  home: string
  shell: string
  groups: string
  /** A line of sudoers; empty for none. */
  sudo: string
}

const text = (params: Readonly<Record<string, unknown>>, name: string): string => {
  const value = params[name]
  return typeof value === 'string' ? value.trim() : ''
}

/**
 * The parameters of an account that is to be created.
 * @throws SystemFailure `bad_name`
 */
export function newAccount(username: string, params: Readonly<Record<string, unknown>>): NewAccount {
  if (!newAccountName.test(username)) throw badName('an account of this name cannot be created on a POSIX system')
  const home = text(params, 'home') || `/home/${username}`
  const shell = text(params, 'shell') || '/bin/bash'
  for (const [value, what] of [
    [home, 'home folder'],
    [shell, 'shell'],
  ] as const)
    if (!folderPath.test(value) || value.split('/').includes('..')) throw badName(`the ${what} is not an absolute path`)
  const groups = text(params, 'groups')
    .split(',')
    .flatMap((name) => name.trim() || [])
  const wrong = groups.find((name) => !groupName.test(name))
  if (wrong !== undefined) throw badName('a group has characters that a POSIX system does not allow')
  const commands = text(params, 'sudo')
  if (controlCharacter.test(commands) || commands.endsWith('\\')) throw badName('the sudo commands are not one line')
  if (commands !== '' && aliasName.test(username))
    throw badName('sudo reads a name in capital letters as a list of accounts')
  const sudo = commands === '' ? '' : `${username} ALL=(ALL) NOPASSWD: ${commands}`
  return { home, shell, groups: groups.join(','), sudo }
}

/** The file in sudoers.d of an account that was created here. `sudo` ignores names with a dot. */
export const sudoFile = (username: string): string =>
  `castellan-${username.replace(/[^A-Za-z0-9_-]/g, (character) => `+${character.codePointAt(0)?.toString(16)}`)}`
