import { startApplication } from './application.ts'
import { readConfig } from './config.ts'

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
    setTimeout(() => process.exit(0), 5000).unref()
    void application.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', close)
  process.on('SIGINT', close)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  if (process.env.CASTELLAN_LOG_LEVEL === 'debug') console.error(error)
  process.exit(1)
}
