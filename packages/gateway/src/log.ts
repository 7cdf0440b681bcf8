import pino from 'pino'

/**
 * On a full disk, log lines are buffered in memory (bytes) until there is space again; a log error never ends the
 * process.
 */
const out = pino.destination({ dest: 1, sync: true, maxLength: 1024 * 1024 })
out.on('error', () => undefined)

/** The process log. Secrets must not be passed to it; the redaction is a second line of defense. */
export const log = pino(
  {
    level: process.env.CASTELLAN_LOG_LEVEL ?? 'info',
    base: { program: 'gateway' },
    redact: {
      paths: ['*.secret', '*.password', '*.passphrase', '*.value', '*.authorization', '*.cookie', 'secret', 'password'],
      censor: '***',
    },
  },
  out,
)
