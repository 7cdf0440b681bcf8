import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MailServer } from '@castellan/testing/mail-server'
import { requirePart } from '@castellan/testing/parts'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'

/** The workbook in an archive, without its password. Needs `msoffcrypto`. */
export async function unlocked(zip: Buffer, password: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-archive-'))
  try {
    const reader = new ZipReader(new Uint8ArrayReader(new Uint8Array(zip)))
    const [entry] = await reader.getEntries()
    if (!entry || entry.directory) throw new Error('The archive holds no file.')
    const [locked, opened] = [join(folder, 'locked.xlsx'), join(folder, 'opened.xlsx')]
    writeFileSync(locked, await entry.getData(new Uint8ArrayWriter(), { password, useWebWorkers: false }))
    execFileSync(requirePart('msoffcrypto'), ['-p', password, locked, opened])
    return readFileSync(opened)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The archive of the last mail to an address; undefined when it has none. */
export function attachedTo({ received }: MailServer, to: string): Buffer | undefined {
  const mail = received.findLast((one) => one.to.includes(to))
  if (!mail) throw new Error(`Nobody wrote to ${to}.`)
  const body = /filename=[^\n]*\.zip[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/.exec(mail.text)?.[1]
  return body ? Buffer.from(body, 'base64') : undefined
}
