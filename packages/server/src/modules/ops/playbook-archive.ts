import { join } from 'node:path'
import { opsMessages } from '@castellan/contract/messages/ops'
import { boundedParser } from '../../kernel/untrusted/parse-bounded.ts'
import { type PlaybookFile, refusedWith } from './playbook-file.ts'
import type { unpackedFiles } from './playbook-unpacked.ts'

/** Bytes of an archive that is taken. */
export const largestArchive = 20 * 1_048_576

const unpacked = boundedParser<typeof unpackedFiles>(
  join(import.meta.dirname, 'playbook-unpacked.ts'),
  'unpackedFiles',
  { milliseconds: 20_000, megabytes: 512, lane: 'long' },
)

/**
 * The files of a zip archive, outside of transactions.
 * @param who takes its turn
 * @throws 400 for links, paths that lead out, too much, and what is no archive or has no entry file
 */
export async function filesOfArchive(who: string, bytes: Buffer): Promise<PlaybookFile[]> {
  if (bytes.length > largestArchive) throw refusedWith(opsMessages.archive_unreadable)
  return unpacked(who, bytes)
}
