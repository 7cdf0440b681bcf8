import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { itWith, requirePart } from '@castellan/testing/parts'
import { TextReader, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'
import { encryptedContent } from './protected-workbook.ts'
import { workbookStream } from './workbook.ts'

const folder = mkdtempSync(join(tmpdir(), 'castellan-locked-'))
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const password = 'Päss 漢字😀 %1'

async function* rows(count: number) {
  for (let index = 0; index < count; index++) yield [`group ${index}`, 'said']
}
const book = async (count = 2) =>
  buffer(await workbookStream([{ name: 'a', header: ['Name*', 'Comment'], rows: rows(count) }]))

async function locked(count = 2): Promise<Buffer> {
  const source = await workbookStream([{ name: 'a', header: ['Name*', 'Comment'], rows: rows(count) }])
  const content = await encryptedContent(source, folder)
  try {
    return await buffer(content.protectedBy(password))
  } finally {
    await content.close()
  }
}

async function zipped(files: Record<string, Buffer | string>, options: object = { password }): Promise<Buffer> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [name, content] of Object.entries(files)) {
    const reader = typeof content === 'string' ? new TextReader(content) : new Uint8ArrayReader(new Uint8Array(content))
    await zip.add(name, reader, options)
  }
  return Buffer.from(await zip.close())
}

async function read(bytes: Buffer, given?: string): Promise<{ status: number; code?: string; names: string[] }> {
  const path = '/api/v1/users/groups/render-to-json/'
  const answer = await fetch(server.url + path, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: {
      ...server.admin.proof('POST', path),
      'content-type': 'text/xlsx',
      ...(given === undefined ? {} : { 'x-file-password': encodeURIComponent(given) }),
    },
  })
  const body = (await answer.json()) as { code?: string; data?: { name: string }[] }
  const names = body.data?.map(({ name }) => name) ?? []
  return { status: answer.status, names, ...(body.code ? { code: body.code } : {}) }
}

const two = { status: 200, names: ['group 0', 'group 1'] }
const required = { status: 400, code: 'file_password_required', names: [] }
const wrong = { status: 400, code: 'file_password_wrong', names: [] }
const unreadable = { status: 400, code: 'parse_error', names: [] }

describe('a file to import', () => {
  it('opens with its password in every form in which secrets leave the product', async () => {
    const files = {
      'protected workbook': await locked(),
      'protected workbook in a protected archive': await zipped({ 'backup.xlsx': await locked() }),
      'workbook in a protected archive': await zipped({ 'export.xlsx': await book() }),
      'CSV in a protected archive': await zipped({ 'export.csv': 'Name*\ngroup 0\ngroup 1\n' }),
    }
    for (const [form, bytes] of Object.entries(files)) {
      expect(await read(bytes), form).toEqual(required)
      expect(await read(bytes, 'other'), form).toEqual(wrong)
      expect(await read(bytes, password), form).toEqual(two)
    }
    const open = await zipped({ 'export.xlsx': await book() }, {})
    expect(await read(open), 'an archive without a password needs none').toEqual(two)
    expect(await read(await book(), password), 'nor does a plain workbook').toEqual(two)
  })

  it('of several thousand rows is whole', async () => {
    expect((await read(await locked(3000), password)).names).toHaveLength(3000)
  })

  it('that was cut off, changed or made up is unreadable, and ends', async () => {
    const bytes = await locked()
    for (const length of [8, 511, 512, 1024, bytes.length - 4096])
      expect(await read(bytes.subarray(0, length), password), String(length)).toEqual(unreadable)
    const changed = Buffer.from(bytes)
    const at = changed.length - 2000
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(await read(changed, password), 'its content is authenticated').toEqual(unreadable)
    // Sectors that follow themselves.
    const endless = Buffer.from(bytes)
    endless.fill(0, 512, 1024)
    expect(await read(endless, password)).toEqual(unreadable)
    const rounds = Buffer.from(bytes.toString('latin1').replace('spinCount="100000"', 'spinCount="999999"'), 'latin1')
    expect(await read(rounds, password), 'a million rounds are not counted').toEqual(unreadable)
    const bomb = await zipped({ 'a.xlsx': Buffer.alloc(40 * 1024 * 1024) })
    expect(await read(bomb, password)).toMatchObject({ status: 400, code: 'file_content_overflowed' })
    expect(await read(await zipped({ 'a.csv': 'x', 'b.csv': 'y' }), password), 'two tables').toEqual(unreadable)
    expect((await read(bytes, '%')).status).toBe(400)
  }, 60_000)

  itWith('msoffcrypto', 'protected by another program opens as well', async () => {
    const [plain, sealed] = [join(folder, 'plain.xlsx'), join(folder, 'sealed.xlsx')]
    // Below 4 KB that program writes both streams into the same sectors.
    writeFileSync(plain, await book(3000))
    execFileSync(requirePart('msoffcrypto'), ['-e', '-p', password, plain, sealed])
    const { status, names } = await read(readFileSync(sealed), password)
    expect({ status, count: names.length, last: names.at(-1) }).toEqual({
      status: 200,
      count: 3000,
      last: 'group 2999',
    })
    expect(await read(readFileSync(sealed), 'other')).toEqual(wrong)
  })
})
