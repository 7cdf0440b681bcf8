import { randomUUID } from 'node:crypto'
import { sampled } from '@castellan/testing/sample'
import { Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyRow } from '../../db/database.ts'
import { has, manner, type ResourceTests, startResourceTests } from '../../testing/resources.ts'
import { marker, samples } from '../../testing/samples.ts'
import { casesOfThisRun, onceOn } from '../../testing/this-run.ts'
import type { Resource } from '../resource/resource.ts'

/** Export and import of every resource. */
let tests: ResourceTests
const ask: ResourceTests['ask'] = (...words) => tests.ask(...words)
beforeAll(async () => {
  tests = await startResourceTests()
})
afterAll(() => tests[Symbol.asyncDispose]())

const headerOf = (text: string) => text.replace(/^\ufeff/, '').split('\n')[0] ?? ''
const imports = (resource: Resource) => resource.imports ?? has(resource, 'create')
const asked = (type: string) => ({ headers: { 'content-type': type } })

describe.each(casesOfThisRun.filter(([, resource]) => has(resource, 'list')))(
  sampled('files of %s'),
  (address, resource) => {
    const { url } = resource
    const canMake = samples[address] && !resource.noId
    // Encrypted exports are checked in their unencrypted update template.
    const readable = resource.filePassword ? '&template=update' : ''

    it('are csv with a byte order mark, or xlsx, named after the resource and the time', async () => {
      const csv = await ask('GET', `${url}?format=csv&limit=3${readable}`)
      expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
      expect([...csv.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
      expect(csv.headers.get('content-disposition')).toMatch(
        /^attachment; filename="[a-z]+_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.csv"$/,
      )
      expect(headerOf(csv.text)).not.toBe('')
      const xlsx = await ask('GET', `${url}?format=xlsx&limit=3${readable}`)
      expect([xlsx.status, xlsx.headers.get('content-type')]).toEqual([200, 'application/xlsx'])
      expect(xlsx.bytes.subarray(0, 2).toString()).toBe('PK')
      const accepted = await ask('GET', `${url}?limit=3${readable}`, { headers: { accept: 'text/csv' } })
      expect(headerOf(accepted.text)).toBe(headerOf(csv.text))
    })

    it('have their titles in three languages, and never a secret', async () => {
      const titles: string[] = []
      for (const language of ['en', 'zh', 'ja']) {
        const { text } = await ask('GET', `${url}?format=csv&limit=100${readable}`, {
          headers: { 'accept-language': language },
        })
        expect(text).not.toContain(marker)
        titles.push(headerOf(text))
      }
      expect(new Set(titles).size).toBe(3)
    })

    manner(imports(resource))('have a title of its own for every field that they fill', async () => {
      for (const language of ['en', 'zh', 'ja']) {
        const { body } = await ask('OPTIONS', `${url}render-to-json/`, { headers: { 'accept-language': language } })
        const filled = Object.values((body.actions?.POST ?? {}) as Record<string, AnyRow>).filter(
          (one) => !one.read_only,
        )
        const labels = filled.map(({ label }) => String(label).toLowerCase())
        expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
      }
    })

    manner(imports(resource))('of nothing, of titles alone and of rubbish are answered clearly', async () => {
      const path = `${url}render-to-json/`
      const nothing = { title: [], data: {} }
      expect((await ask('POST', path, { raw: '', ...asked('text/csv') })).body).toEqual(nothing)
      expect((await ask('POST', path, { body: [] })).body).toEqual(nothing)
      const titles = await ask('POST', path, { raw: 'a,b\n', ...asked('text/csv') })
      expect([titles.status, Object.keys(titles.body)]).toEqual([400, ['error']])
      for (const [type, raw] of [
        ['text/xlsx', 'not a workbook'],
        ['application/xlsx', 'PK'],
        ['text/csv', 'name\n"open'],
      ] as const) {
        const { status, body } = await ask('POST', path, { raw, ...asked(type) })
        expect([type, status, body.code]).toEqual([type, 400, 'parse_error'])
      }
    })

    manner(imports(resource) && canMake)('can be written, read again and sent back as they are', async () => {
      const [row] = (await tests.make(address, resource, 1)) as [AnyRow]
      for (const format of ['csv', 'xlsx']) {
        const file = await ask('GET', `${url}?format=${format}&template=update&ids=${row.id}`)
        expect(file.status).toBe(200)
        const { status, body } = await ask('POST', `${url}render-to-json/`, {
          raw: file.bytes,
          ...asked(`text/${format}`),
        })
        expect([format, status]).toEqual([format, 200])
        expect([format, body.data.length, body.title.length > 0]).toEqual([format, 1, true])
        if (!has(resource, 'update') || !resource.idWritable) continue
        const [data] = body.data
        expect([format, String(data.id)]).toEqual([format, String(row.id)])
        const { id: _id, ...changes } = data
        const changed = await ask('PATCH', `${url}${row.id}/`, { body: changes })
        expect([format, changed.status, changed.text.slice(0, 300)]).toEqual([format, 200, changed.text.slice(0, 300)])
      }
      const template = await ask('GET', `${url}?format=csv&template=import`)
      expect(template.text.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
    })

    manner(imports(resource) && canMake && 'name' in resource.fields)(
      'of a selection hold that alone, with formulas made harmless until they are read again',
      async () => {
        const formula = `=HYPERLINK("x")${randomUUID().slice(0, 8)}`
        const [made] = await tests.make(address, resource, 1)
        const named = await ask('PATCH', `${url}${made?.id}/`, { body: { name: formula } })
        const kept = await ask('POST', '/api/v1/common/resources/cache/', { body: { resources: [made?.id] } })
        const { text } = await ask('GET', `${url}?format=csv&spm=${kept.body.spm}${readable}`)
        expect(text.trimEnd().split('\n')).toHaveLength(2)
        expect(text).not.toMatch(/(^|[,"\n])=/)
        if (named.body.name !== formula) return
        expect(text).toContain("'=HYPERLINK")
        const headers = { 'content-type': 'text/csv' }
        const { body } = await ask('POST', `${url}render-to-json/`, { raw: text, headers })
        expect((body.data as AnyRow[])[0]?.name).toBe(formula)
      },
    )
  },
)

describe('a file written by other software', () => {
  const path = '/api/v1/users/groups/'
  const render = (raw: Buffer | string, language = 'en', type = 'text/csv') =>
    ask('POST', `${path}render-to-json/`, {
      raw,
      headers: { 'content-type': type, 'accept-language': language },
    })
  const table = '*名称,备注\n运维组,东京\n'
  const utf16 = (swapped: boolean) => {
    const bytes = Buffer.from(`\ufeff${table}`, 'utf16le')
    return swapped ? bytes.swap16() : bytes
  }
  const gbk = Buffer.from('2ac3fbb3c62cb1b8d7a20ad4cbceacd7e92cb6abbea90a', 'hex')

  it('is decoded from the encodings that spreadsheets write', async () => {
    const expected = {
      title: [
        ['*名称', 'name'],
        ['备注', 'comment'],
      ],
      data: [{ name: '运维组', comment: '东京' }],
    }
    for (const raw of [
      table,
      Buffer.from(`\ufeff${table}`),
      utf16(false),
      utf16(true),
      gbk,
      table.replaceAll('\n', '\r\n'),
    ])
      expect((await render(raw, 'zh')).body).toEqual(expected)
  })

  it.each([
    // Output of Excel on a Japanese, a Western and a Chinese system.
    ['ja', '938c8b9e', '東京'],
    ['en', '838983438367', 'ライト'],
    ['en', '4dfc6c6c6572', 'Müller'],
    ['ja', '4dfc6c6c6572', 'Müller'],
    ['zh', '636166e9', 'café'],
    ['en', 'd4cbceacd7e9', '运维组'],
    ['zh', '96ee', '栴'],
  ])(
    'is decoded from legacy encodings by its bytes where they are unambiguous, else by the language: %s %s',
    async (language, hex, name) => {
      const raw = Buffer.concat([Buffer.from('name,comment\n'), Buffer.from(hex, 'hex'), Buffer.from(',x\n')])
      expect((await render(raw, language)).body.data).toEqual([{ name, comment: 'x' }])
    },
  )

  it('is rejected with the position of damaged text', async () => {
    const cut = Buffer.concat([Buffer.from('*Name,Description\nA,あ\nB,'), Buffer.from('e381', 'hex')])
    const marked = Buffer.concat([Buffer.from('\ufeffName,Description\nA\n'), Buffer.from('ff,x', 'latin1')])
    const utf16 = Buffer.concat([Buffer.from('\ufeffName\nA', 'utf16le'), Buffer.from([0x00, 0xd8])])
    for (const [raw, place] of [
      [cut, 'Row 3, column “Description”'],
      [Buffer.concat([marked, Buffer.from([0xff])]), 'Row 3, column “Description”'],
      [utf16, 'Row 2, column “Name”'],
    ] as const)
      for (const at of [`${path}render-to-json/`, path]) {
        const answer = await ask('POST', at, { raw, headers: { 'content-type': 'text/csv' } })
        expect([answer.status, answer.body]).toEqual([
          400,
          { code: 'parse_error', detail: expect.stringContaining(place) },
        ])
      }
  })

  it('does not hide an out-of-range number in a list', async () => {
    const at = '/api/v1/perms/asset-permissions/'
    const raw = 'Name,accounts\nbeyond,"[""a"", 1e999]"\n'
    const { body } = await ask('POST', `${at}render-to-json/`, { raw, headers: { 'content-type': 'text/csv' } })
    const made = await ask('POST', at, { body: body.data })
    expect([made.status, made.body]).toEqual([400, [{ accounts: [expect.any(String)] }]])
  })

  it('may have unknown columns, empty lines and typographic quotes', async () => {
    const { body } = await render('Name,What,users\n\n,,\nred,x,\u201c[]\u201d\nblue,y,[]\n')
    expect(body.title).toEqual([
      ['Name', 'name'],
      ['users', 'users'],
    ])
    expect(body.data.map((row: AnyRow) => [row.name, row['']])).toEqual([
      ['red', 'x'],
      ['blue', 'y'],
    ])
    expect((await render('No,Such\n1,2\n')).body).toEqual({ title: [], data: [{ '': '2' }] })
  })

  it('names related objects and protocols as bodies do', async () => {
    const rows = async (resource: string, raw: string) => {
      const { body } = await ask('POST', `/api/v1/${resource}/render-to-json/`, {
        raw,
        headers: { 'content-type': 'text/csv', 'accept-language': 'en' },
      })
      return body.data
    }
    const id = randomUUID()
    const list = (...items: string[]) => `"${JSON.stringify(items).replaceAll('"', '""')}"`
    const ssh = { name: 'ssh', port: '22' }
    expect(await rows('users/users', `username,system_roles\nx,${list(`User(${id})`)}\n`)).toEqual([
      { username: 'x', system_roles: [{ pk: id, name: 'User' }] },
    ])
    expect(await rows('assets/hosts', `platform,protocols\nLinux(1),${list('ssh/22', 'odd')}\n`)).toEqual([
      { platform: { pk: 1, name: 'Linux' }, protocols: [ssh, 'odd'] },
    ])
    expect(await rows('assets/categories', 'label,VALUE,other\nHost,host,x\n')).toEqual([
      { label: 'Host', value: 'host', '': 'x' },
    ])
    const node = list(`Default(${id})`)
    expect(await rows('assets/hosts', `Nodes,Node paths\n${node},${list('/Default/far')}\n`)).toEqual([
      { nodes: [{ pk: id, name: 'Default' }], nodes_display: ['/Default/far'] },
    ])
    expect(await rows('assets/platforms', `name,protocols\nx,${list('ssh/22')}\n`)).toEqual([
      { name: 'x', protocols: [ssh] },
    ])
  })

  onceOn('sqlite')('that is too large, in bytes or in rows, gets a clear error', async () => {
    for (const raw of [`name\n${'x'.repeat(10_485_761)}\n`, `name\n${'x\n'.repeat(100_001)}`]) {
      const { status, body } = await render(raw)
      expect([status, body.code]).toEqual([400, 'file_content_overflowed'])
    }
  })

  onceOn('sqlite')('that is too large only after decompression is rejected before it is unpacked', async () => {
    const endless = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
    const strings = Buffer.from('<si><t>a</t></si>'.repeat(60_000))
    let left = 140
    const growing = new ReadableStream<Uint8Array>({
      pull: (part) => (left-- > 0 ? part.enqueue(strings) : part.close()),
    })
    await endless.add('xl/sharedStrings.xml', growing)
    const { status, body } = await render(Buffer.from(await endless.close()), 'en', 'text/xlsx')
    expect([status, body.code]).toEqual([400, 'file_content_overflowed'])
  })

  it('is imported completely or not at all, with errors by row', async () => {
    const name = () => `group ${randomUUID()}`
    const post = (raw: string) => ask('POST', path, { raw, headers: { 'content-type': 'text/csv' } })
    const [good, bad] = [name(), 'x'.repeat(200)]
    const refused = await post(`name,comment\n${good},\n${bad},\n`)
    expect([refused.status, refused.body]).toEqual([400, [{}, { name: [expect.any(String)] }]])
    expect((await ask('GET', `${path}?name=${encodeURIComponent(good)}`)).body).toEqual([])
    const made = await post(`name,comment\n${good},a\n${name()},b\n`)
    expect([made.status, made.body.length]).toEqual([201, 2])
  })

  it('contains every row, up to the maximum of a file', async () => {
    const many = Array.from({ length: 450 }, (_, at) => ({ name: `many ${at} ${randomUUID()}` }))
    expect((await ask('POST', path, { body: many })).status).toBe(201)
    const { text } = await ask('GET', `${path}?format=csv&search=many&order=name`)
    expect(text.trimEnd().split('\n')).toHaveLength(451)
    const page = await ask('GET', `${path}?format=csv&search=many&limit=100&offset=400`)
    expect(page.text.trimEnd().split('\n')).toHaveLength(51)
  })
})
