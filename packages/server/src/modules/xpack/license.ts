import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { normalUuid, secret, text } from '../../kernel/fields/index.ts'
import type { Context, Services } from '../../kernel/module/context.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'

/** The content of a license. `expires` in unix milliseconds, null for never; `assets` null without a limit. */
export interface License {
  id: string
  corporation: string
  issued: number
  expires: number | null
  assets: number | null
  test: boolean
}

export const licenseSettings = defineSettings({
  changedBy: 'product',
  fields: { LICENSE: text(), LICENSE_PUBLIC_KEY: text(), LICENSE_PRIVATE_KEY: secret() },
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** `<facts>.<signature>`, both base64url; the signature is Ed25519 over the first part (RFC 8032). */
export function signLicense(license: License, privateKey: string): string {
  const facts = encode(license)
  return `${facts}.${sign(null, Buffer.from(facts), createPrivateKey(privateKey)).toString('base64url')}`
}

/** The license in a file if it was signed by this installation's key; undefined otherwise. */
export function readLicense(file: string, publicKey: string): License | undefined {
  const [facts = '', signature = '', ...more] = file.trim().split('.')
  if (!facts || !signature || more.length > 0 || !publicKey) return undefined
  try {
    if (!verify(null, Buffer.from(facts), createPublicKey(publicKey), Buffer.from(signature, 'base64url')))
      return undefined
    const license = JSON.parse(Buffer.from(facts, 'base64url').toString('utf8')) as License
    return normalUuid(license.id) && typeof license.corporation === 'string' ? license : undefined
  } catch {
    return undefined
  }
}

export interface LicenseState {
  /** The extended edition is enabled: there is a license, valid or expired. */
  extended: boolean
  valid: boolean
  license: License | undefined
}

const day = 86_400_000

/** Whether a license is valid now: it is up to the end of its last day in UTC, the date shown to users. */
export const isUnexpired = ({ expires }: License, now = Date.now()): boolean =>
  expires === null || Math.floor(expires / day) >= Math.floor(now / day)

let known: { file: string; license: License | undefined } = { file: '', license: undefined }

/** The installation's current license. */
export function licenseState(services: Pick<Services, 'settings'>): LicenseState {
  const kept = licenseSettings.of(services)
  const file = kept.LICENSE
  if (file !== known.file) known = { file, license: readLicense(file, kept.LICENSE_PUBLIC_KEY) }
  const { license } = known
  return {
    extended: license !== undefined,
    valid: license !== undefined && isUnexpired(license),
    license,
  }
}

/** Generates the installation's license key and a perpetual license without limits, at the first start. */
export async function firstLicense(ctx: Context): Promise<void> {
  if (licenseSettings.settings.LICENSE_PUBLIC_KEY.isStored(ctx)) return
  const pair = generateKeyPairSync('ed25519')
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const license: License = {
    id: crypto.randomUUID(),
    corporation: 'Castellan',
    issued: Date.now(),
    expires: null,
    assets: null,
    test: false,
  }
  await licenseSettings.store(ctx, {
    LICENSE: signLicense(license, privateKey),
    LICENSE_PUBLIC_KEY: publicKey,
    LICENSE_PRIVATE_KEY: privateKey,
  })
  ctx.afterCommit(() => ctx.services.settings.load())
}

/** Issues another license with the installation's key. Throws when the key is missing. */
export function issueLicense(
  services: Pick<Services, 'settings' | 'vault'>,
  facts: Omit<License, 'id' | 'issued'>,
): string {
  const sealed = licenseSettings.of(services).LICENSE_PRIVATE_KEY
  if (!sealed) throw new Error('This installation has no license key yet: start it once first.')
  return signLicense({ id: crypto.randomUUID(), issued: Date.now(), ...facts }, services.vault.open(sealed))
}
