/** Issues a license under the installation's own key: `npm run license -- --corporation "Example" --days 365 --assets 500 [--test] > example.lic` */
import { parseArgs } from 'node:util'
import { readConfig } from './config.ts'
import { openDatabase } from './db/database.ts'
import { masterKey, openVault } from './kernel/security/secrets.ts'
import { Settings } from './kernel/settings/settings.ts'
import { issueLicense } from './modules/xpack/index.ts'
import { licenseSettings } from './modules/xpack/license.ts'

const { values } = parseArgs({
  options: {
    corporation: { type: 'string', default: 'Castellan' },
    days: { type: 'string' },
    assets: { type: 'string' },
    test: { type: 'boolean', default: false },
  },
})

function whole(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0, not "${text}".`)
  return value
}

try {
  const days = whole('days', values.days)
  const assets = whole('assets', values.assets)
  const config = readConfig()
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir })
  const vault = await openVault(database, masterKey(config.dataDir))
  const settings = new Settings(database, vault)
  settings.declare(licenseSettings.own)
  await settings.load()
  const expires = days === null ? null : Date.now() + days * 86_400_000
  console.log(
    issueLicense({ settings, vault }, { corporation: values.corporation, expires, assets, test: values.test }),
  )
  await database.close()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
