/** Secret types of accounts and their labels. */
import { t } from '../../kit/text.ts'

const words = {
  password: 'password',
  ssh_key: 'sshKey',
  token: 'token',
  access_key: 'accessKey',
  api_key: 'apiKey',
} as const

export const secretWord = (type: string): string => t(words[type as keyof typeof words] ?? 'password')

/** Union of the protocols of a platform. */
export function secretTypesOf(protocols: readonly { secret_types?: string[] }[]): string[] {
  const all = [...new Set(protocols.flatMap((protocol) => protocol.secret_types ?? []))]
  return all.length > 0 ? all : ['password', 'ssh_key']
}

/** Usernames that are always privileged. */
export const isPrivilegedName = (username: string): boolean =>
  ['root', 'administrator'].includes(username.toLowerCase())
