import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

/** Workbooks are zipped XML that every user with import rights may upload. */
let server: TestServer
let asked = 0
const outside = createServer((_request, response) => {
  asked += 1
  response.end('<!ENTITY leak "fetched">')
})
beforeAll(async () => {
  server = await startServer()
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  outside.close()
  await server.close()
})

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

const cell = (text: string, row: number) => `<c r="A${row}" t="inlineStr"><is><t>${text}</t></is></c>`
const sheet = (texts: string[], dtd = '') =>
  `${xml}${dtd}<worksheet xmlns="${main}"><sheetData><row r="1">${cell('Name*', 1)}</row>${texts
    .map((text, at) => `<row r="${at + 2}">${cell(text, at + 2)}</row>`)
    .join('')}</sheetData></worksheet>`
const workbook = (more: Record<string, string>) => ({
  '[Content_Types].xml': `${xml}<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
  'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ...more,
})

async function packed(entries: Record<string, string>, options: object = {}): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [name, text] of Object.entries(entries)) await zip.add(name, new TextReader(text), options)
  return zip.close()
}

async function read(bytes: Uint8Array): Promise<{ status: number; text: string }> {
  const path = '/api/v1/users/groups/render-to-json/'
  const answer = await fetch(server.url + path, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { ...server.admin.proof('POST', path), 'content-type': 'text/xlsx', 'accept-language': 'en' },
  })
  return { status: answer.status, text: await answer.text() }
}
const readSheet = async (texts: string[], dtd?: string) =>
  read(await packed(workbook({ 'xl/worksheets/sheet1.xml': sheet(texts, dtd) })))

describe('a workbook', () => {
  it('of plain cells is read', async () => {
    expect(await readSheet(['first', 'a &lt; b'])).toMatchObject({
      status: 200,
      text: expect.stringContaining('a < b'),
    })
  })

  it('cannot read local files or remote pages through entities', async () => {
    const { port } = outside.address() as AddressInfo
    const where = [`file:///etc/passwd`, `http://127.0.0.1:${port}/`]
    for (const url of where)
      for (const dtd of [
        `<!DOCTYPE worksheet [<!ENTITY leak SYSTEM "${url}">]>`,
        `<!DOCTYPE worksheet SYSTEM "${url}">`,
        `<!DOCTYPE worksheet [<!ENTITY % more SYSTEM "${url}">%more;]>`,
      ]) {
        const { status, text } = await readSheet(['a', '&leak;'], dtd)
        expect([200, 400]).toContain(status)
        expect(text).not.toMatch(/root:|fetched/)
      }
    expect(asked).toBe(0)
  })

  it('cannot grow through nested entities', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `e${at}`)
    const entities = names.map((name, at) => `<!ENTITY ${name} "${at ? `&${names[at - 1]};`.repeat(10) : 'ha'}">`)
    const { status, text } = await readSheet(['&e11;'], `<!DOCTYPE worksheet [${entities.join('')}]>`)
    expect([200, 400]).toContain(status)
    expect(text.length).toBeLessThan(10_000)
    const long = `<!DOCTYPE worksheet [<!ENTITY long "${'x'.repeat(100_000)}">]>`
    const many = await readSheet(['&long;'.repeat(10_000)], long)
    expect([200, 400]).toContain(many.status)
    expect(many.text.length).toBeLessThan(1_000_000)
  })

  it('with path traversal, too many parts, encryption or a nested archive writes and breaks nothing', async () => {
    const evil = join(tmpdir(), `castellan-${randomUUID()}`)
    const good = { 'xl/worksheets/sheet1.xml': sheet(['x']) }
    const odd = [`../../../../..${evil}`, evil, 'xl/worksheets/../../evil.xml']
    const named = workbook({ ...good, ...Object.fromEntries(odd.map((name) => [name, 'evil'])) })
    expect([200, 400]).toContain((await read(await packed(named))).status)
    expect(existsSync(evil)).toBe(false)
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`xl/worksheets/sheet${at + 2}.xml`, '']))
    expect((await read(await packed(workbook({ ...good, ...many })))).status).toBe(400)
    expect((await read(await packed(workbook(good), { password: 'secret' }))).status).toBe(400)
    const inner = Buffer.from(await packed(workbook(good))).toString('latin1')
    expect((await read(await packed({ 'xl/worksheets/sheet1.xml': inner }))).status).toBe(400)
    const whole = await packed(workbook(good))
    for (const length of [2, 30, whole.length - 30]) expect((await read(whole.subarray(0, length))).status).toBe(400)
    expect((await readSheet(['still here'])).status).toBe(200)
  })
})
