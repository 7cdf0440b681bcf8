import { resolve } from 'node:path'
import { startApplication } from './application.ts'
import { readConfig } from './config.ts'
import { startFailure } from './start-failure.ts'

/** Errors of one connection's streams, which must not end the requests and jobs of others. */
const harmless = /^(?:ERR_STREAM_|ERR_SOCKET_|EPIPE$|ECONNRESET$|ECONNABORTED$|ETIMEDOUT$)/

/** The server. `CASTELLAN_ROLE`: answer requests (api), run jobs (worker), or both (all). */
try {
  const config = readConfig()
  const application = await startApplication(config)
  // A failure of background work must not end the process that serves requests.
  process.on('unhandledRejection', (error) => application.services.log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    const { log } = application.services
    if (error.code && harmless.test(error.code)) {
      log.error({ err: error }, 'a stream failed without an error listener')
      return
    }
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(70)
  })
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
  // The supervisor does not restart after EX_CONFIG (sysexits.h): the configuration must change first.
  process.exit(final ? 78 : 1)
}
