import { generateSync } from 'otplib'

/** What an authenticator shows now. */
export const presentCode = (secret: string): string => generateSync({ secret })

/**
 * What it will show in the coming half minute, which counts already: another one than any that was used before, without
 * waiting for it.
 */
export const comingCode = (secret: string): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 })
