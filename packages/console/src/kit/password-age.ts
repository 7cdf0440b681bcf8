import { timestampOf } from './row.ts'
import { t } from './text.ts'

const day = 86_400_000

/** The notice for a local user whose password has expired or expires within five days. `life` in days. */
export function passwordText(
  source: unknown,
  updated: unknown,
  life: number | undefined,
  now = Date.now(),
): string | undefined {
  const changed = timestampOf(updated)
  if (source !== 'local' || !changed || !life) return undefined
  const left = life - Math.floor((now - changed.getTime()) / day)
  if (left <= 0) return t('passwordExpired')
  return left <= 5 ? t('passwordEnding', { days: left }) : undefined
}
