import { openTcp } from '../ssh/tcp.ts'
import type { SecretChange, SystemLogin, SystemTarget } from './account-system.ts'

/** A target on this machine, reached directly. */
export const targetOn = (port: number, more: Partial<SystemTarget> = {}): SystemTarget => {
  const { signal = new AbortController().signal } = more
  return {
    host: '127.0.0.1',
    port,
    dial: () => openTcp('127.0.0.1', port, signal),
    signal,
    verifyHostKey: async () => undefined,
    tls: { enabled: false },
    ...more,
  }
}

export const byPassword = (username: string, secret: string, become?: SystemLogin['become']): SystemLogin => ({
  username,
  secretType: 'password',
  secret,
  become,
})

export const passwordFor = (username: string, secret: string, more: Partial<SecretChange> = {}): SecretChange => ({
  username,
  secretType: 'password',
  secret,
  keyStrategy: 'add',
  keyComment: 'castellan@test',
  create: false,
  params: {},
  ...more,
})
