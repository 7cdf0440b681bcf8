/** The parsed login name of an SSH client. */
export type LoginName =
  | { kind: 'menu'; user: string }
  | { kind: 'direct'; user: string; protocol: string; account: string; asset: string }
  | { kind: 'token'; token: string }

const protocols = new Set(['ssh', 'sftp', 'telnet'])

/** `user`, `user@account@asset`, `user@protocol@account@asset` (or `#` for `@`), `JMS-<token id>`. */
export function parseLoginName(name: string): LoginName {
  if (name.startsWith('JMS-')) return { kind: 'token', token: name.slice(4) }
  const separator = name.includes('#') ? '#' : '@'
  const parts = name.split(separator)
  // A single `@` is part of a username that is a mail address.
  if (parts.length < 3) return { kind: 'menu', user: name }
  const user = parts[0] as string
  const asset = parts.at(-1) as string
  const named = parts.length > 3 && protocols.has((parts[1] as string).toLowerCase())
  const account = parts.slice(named ? 2 : 1, -1).join(separator)
  return { kind: 'direct', user, protocol: named ? (parts[1] as string).toLowerCase() : 'ssh', account, asset }
}
