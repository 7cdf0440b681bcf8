import { resolve } from 'node:path'
import { startApplication } from './application.ts'
import { readConfig } from './config.ts'
import { startFailure } from './start-failure.ts'

/** The server: `CASTELLAN_ROLE` says whether this program answers requests (api), works off jobs (worker), or both (all). */
try {
  const config = readConfig()
  const application = await startApplication(config)
  // Background work that fails must not take the requests of others down with it.
  process.on('unhandledRejection', (error) => application.services.log.error({ err: error }, 'unhandled rejection'))
  application.services.log.info({ role: config.role, url: application.url }, 'serving')
  let closing = false
  const close = () => {
    if (closing) return
    closing = true
    // A connection that never ends must not keep the program from ending.
    setTimeout(() => process.exit(0), 12_000).unref()
    void application.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', close)
  process.on('SIGINT', close)
} catch (error) {
  const { text, final } = startFailure(error, resolve(process.env.CASTELLAN_DATA_DIR || '.castellan'))
  console.error(text)
  if (process.env.CASTELLAN_LOG_LEVEL === 'debug') console.error(error)
  // The supervisor does not try again what has to be set up differently first (sysexits.h).
  process.exit(final ? 78 : 1)
}
