import { randomBytes } from 'node:crypto'
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

const api = '/api/v1/ops/'
let server: TestServer
let admin: TestServer['admin']
let playbook: string
let other: string

beforeAll(async () => {
  server = await startServer()
  admin = server.admin
  const make = async (name: string) => (await admin.request<{ id: string }>('POST', `${api}playbooks/`, { name })).id
  playbook = await make('attacked')
  other = await make('other')
})
afterAll(() => server?.close())

/** The answer as it is, with its body as text. */
async function send(method: string, path: string, body?: unknown, type = 'application/json') {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      ...admin.proof(method, path),
      'accept-language': 'en',
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** Others read and write while a document is parsed: their requests end before its own. */
async function meanwhile(attack: () => Promise<{ status: number; text: string }>) {
  const order: string[] = []
  const attacking = attack().then((answer) => {
    order.push('attack')
    return answer
  })
  // The server has the document once it answers something that was sent after it.
  for (const [index, content] of ['one', 'two', 'three'].entries()) {
    const written = await send('PATCH', `${api}playbook/${other}/file/`, { key: 'main.yml', content: `# ${content}\n` })
    expect(written).toMatchObject({ status: 200 })
    expect((await send('GET', `${api}playbooks/${other}/`)).status).toBe(200)
    order.push(`other ${index}`)
  }
  const answer = await attacking
  expect(answer.status, answer.text).toBe(400)
  return { answer, order }
}

const bomb = (() => {
  let text = 'a0: &a0 [x, x, x, x, x, x, x, x, x]\n'
  for (let at = 1; at < 40; at++)
    text += `a${at}: &a${at} [${Array.from({ length: 9 }, () => `*a${at - 1}`).join(', ')}]\n`
  return text
})()

describe('documents of users', () => {
  const documents = {
    '300 kB of brackets': '['.repeat(300_000),
    'sequences without end': '- '.repeat(500_000),
    'lines deeper and deeper': Array.from({ length: 2000 }, (_none, at) => `${' '.repeat(at)}a:`).join('\n'),
  }
  for (const [name, content] of Object.entries(documents))
    it(`are refused while others are answered: ${name}`, async () => {
      const body = { key: 'root', name: 'deep.yml', is_directory: false, content }
      const { answer } = await meanwhile(async () => {
        const first = await send('POST', `${api}playbook/${playbook}/file/`, body)
        return first.status === 201 ? { status: 400, text: 'stored, and read in time' } : first
      })
      expect(answer.text).toMatch(/nest|indent|YAML|flow|expected|stored/i)
      expect(answer.text).not.toContain('at ')
    })

  it('that block a parser end before the requests of others do not', async () => {
    const content = '['.repeat(3_000_000)
    const { order } = await meanwhile(() =>
      send('PATCH', `${api}playbook/${playbook}/file/`, { key: 'main.yml', content }),
    )
    expect(order.at(-1)).toBe('attack')
  })

  it('that are stored already are checked in bounded time, with a sentence for the file', async () => {
    const { rawDb } = server.context()
    for (const [path, content] of [
      ['deep.yml', '['.repeat(300_000)],
      ['bomb.yml', bomb],
    ] as const)
      await rawDb
        .insertInto('ops_playbookfile')
        .values({ playbook_id: playbook, path, is_directory: false, content, is_binary: false, size: content.length })
        .execute()
    const answer = await send('GET', `${api}playbooks/${playbook}/check/`)
    expect(answer.status).toBe(200)
    expect(answer.text).toMatch(/deep\.yml.{0,40}(nest|too much time)/)
  })

  it('are no 500 as JSON of any depth or size, in bodies, fields and parameters', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    const bodies = [
      ['POST', `${api}playbooks/`, `{"name": ${deep}}`],
      ['POST', `${api}playbooks/`, deep],
      ['POST', '/api/v1/assets/platforms/', `{"name": "deep", "automation": {"ansible_config": ${deep}}}`],
      ['POST', '/api/v1/assets/platforms/', JSON.stringify({ name: 'deep', custom_fields: deep })],
      ['POST', `${api}jobs/`, JSON.stringify({ name: 'deep', parameters_define: deep })],
      ['POST', `${api}playbooks/`, `[${'{},'.repeat(4_100_000)}{}]`],
      ['POST', `${api}playbooks/`, `{"name": "${'\\u005b'.repeat(100)}", "comment": ["\u00ff`],
    ] as const
    for (const [method, path, body] of bodies) {
      const { status, text } = await send(method, path, body)
      expect([path, status, text.slice(0, 200)]).toEqual([path, 400, expect.any(String)])
    }
  })

  it('have titles that no pattern spends long on', async () => {
    const path = '/api/v1/users/groups/render-to-json/'
    const answer = await send('POST', path, `x${'*'.repeat(2_000_000)}y,name\n1,2\n`, 'text/csv')
    expect(answer.status).toBe(200)
  })

  async function archived(entries: Iterable<[string, string]>): Promise<Uint8Array<ArrayBuffer>> {
    const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, level: 9 })
    for (const [name, text] of entries) await zip.add(name, new TextReader(text))
    return (await zip.close()) as Uint8Array<ArrayBuffer>
  }

  async function upload(bytes: Uint8Array<ArrayBuffer>) {
    const path = `${api}playbooks/`
    const form = new FormData()
    form.set('name', randomBytes(8).toString('hex'))
    form.set('path', new Blob([bytes]), 'playbook.zip')
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { ...admin.proof('POST', path), 'accept-language': 'en' },
      body: form,
    })
    return { status: answer.status, text: await answer.text() }
  }

  /** An archive of entries without content, written by hand: the library takes long for so many. */
  function manyEntries(count: number): Uint8Array<ArrayBuffer> {
    const [locals, directory]: [Buffer[], Buffer[]] = [[], []]
    let offset = 0
    for (let at = 0; at < count; at++) {
      const name = Buffer.from(`__MACOSX/${at}`)
      const local = Buffer.alloc(30)
      local.writeUInt32LE(0x04034b50, 0)
      local.writeUInt16LE(name.length, 26)
      const central = Buffer.alloc(46)
      central.writeUInt32LE(0x02014b50, 0)
      central.writeUInt16LE(name.length, 28)
      central.writeUInt32LE(offset, 42)
      locals.push(local, name)
      directory.push(central, name)
      offset += 30 + name.length
    }
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(Math.min(count, 0xfffe), 8)
    end.writeUInt16LE(Math.min(count, 0xfffe), 10)
    end.writeUInt32LE(
      directory.reduce((sum, { length }) => sum + length, 0),
      12,
    )
    end.writeUInt32LE(offset, 16)
    return new Uint8Array(Buffer.concat([...locals, ...directory, end]))
  }

  it('are refused as archives of many entries or of much content, while others are answered', async () => {
    const big = await archived([
      ['main.yml', '# x\n'],
      ['zeros', '0'.repeat(30 * 1_048_576)],
    ])
    for (const bytes of [manyEntries(60_000), big]) {
      const { answer } = await meanwhile(() => upload(bytes))
      expect(answer.text).not.toBe('')
    }
    const cells = '<row><c><v>1</v></c></row>'.repeat(2_500_000)
    const sheet = `<worksheet><sheetData>${cells}</sheetData></worksheet>`
    const workbook = await archived([
      ['xl/workbook.xml', '<workbook><sheets><sheet r:id="a" xmlns:r="r"/></sheets></workbook>'],
      ['xl/_rels/workbook.xml.rels', '<Relationships><Relationship Id="a" Target="worksheets/a.xml"/></Relationships>'],
      ['xl/worksheets/a.xml', sheet],
    ])
    // Imported as rows to be created too: nothing of it is read in the transaction.
    for (const path of ['/api/v1/users/groups/render-to-json/', '/api/v1/users/groups/'])
      await meanwhile(async () => {
        const headers = { ...admin.proof('POST', path), 'content-type': 'text/xlsx', 'accept-language': 'en' }
        const answer = await fetch(server.url + path, { method: 'POST', headers, body: workbook })
        return { status: answer.status, text: await answer.text() }
      })
    const good = await upload(
      await archived([
        ['main.yml', '- hosts: all\n'],
        ['files/a.txt', 'a'],
      ]),
    )
    expect(good.status, good.text).toBe(201)
  })
})
