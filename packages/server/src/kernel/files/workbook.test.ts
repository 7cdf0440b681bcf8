import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { itWith, requirePart } from '@castellan/testing/parts'
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { afterAll, describe, expect, it } from 'vitest'
import { compoundFile } from './compound-file.ts'
import { encryptedContent } from './protected-workbook.ts'
import { readTable } from './table-files.ts'
import { workbookStream } from './workbook.ts'

const folder = mkdtempSync(join(tmpdir(), 'castellan-workbook-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function* rowsOf(texts: readonly string[]) {
  for (const [index, text] of texts.entries()) yield [`row ${index}`, text]
}

/** Texts that XML, spreadsheets or their readers are known to change. */
const odd = [
  'a&lt;b&amp;&#65;',
  ' leads and ends ',
  'tab\tand\nline',
  'cr\r\nlf',
  '\u0001control\u001f',
  '_x0041_',
  '=1+1',
  '[1,2]',
  '漢字 é 😀',
  '<t>"\'',
  '-',
]
const sheets = () => ['linux', 'mysql'].map((name) => ({ name, header: ['A', 'B'], rows: rowsOf(odd) }))

describe('a workbook', () => {
  it('gives back every text of all of its sheets as it was', async () => {
    const rows = await readTable('xlsx', await buffer(await workbookStream(sheets())), 'en')
    expect(rows[0]).toEqual(['A', 'B'])
    expect(rows.slice(1).map(([, text]) => text)).toEqual([...odd, ...odd])
  })

  it('of another program is read with shared texts, dates and further sheets of another kind', async () => {
    const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    const parts = {
      'xl/workbook.xml': `<workbook ${main} xmlns:r="r"><sheets><sheet name="a" r:id="rId1"/><sheet name="b" r:id="rId2"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Target="worksheets/one.xml"/><Relationship Id="rId2" Target="/xl/worksheets/two.xml"/></Relationships>',
      'xl/styles.xml': `<styleSheet ${main}><numFmts><numFmt numFmtId="200" formatCode="yyyy&quot;y&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="200"/></cellXfs></styleSheet>`,
      'xl/sharedStrings.xml': `<sst ${main}><si><t>Name</t></si><si><r><t>a &amp;lt; </t></r><r><t>_x000D_b</t></r><rPh><t>hint</t></rPh></si></sst>`,
      'xl/worksheets/one.xml': `<worksheet ${main}><sheetData><row><c r="A1" t="s"><v>0</v></c></row><row><c r="A2" t="s"><v>1</v></c><c r="C2" s="1"><v>45000.5</v></c><c r="D2" s="2"><v>1</v></c><c r="E2"><v>1.5</v></c><c r="F2" t="b"><v>1</v></c></row></sheetData></worksheet>`,
      'xl/worksheets/two.xml': `<worksheet ${main}><sheetData><row><c r="A1" t="s"><v>1</v></c></row></sheetData></worksheet>`,
    }
    const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
    for (const [path, xml] of Object.entries(parts)) await zip.add(path, new TextReader(xml))
    expect(await readTable('xlsx', Buffer.from(await zip.close()), 'en')).toEqual([
      ['Name'],
      ['a &lt; \rb', '', '2023-03-15T12:00:00.000Z', '1899-12-31T00:00:00.000Z', '1.5', 'true'],
    ])
  })

  itWith('msoffcrypto', 'with a password is opened by other programs, and by no other password', async () => {
    const content = await encryptedContent(await workbookStream(sheets()), folder)
    expect(readdirSync(folder), 'the temporary file has no name').toEqual([])
    const [locked, opened] = [join(folder, 'locked.xlsx'), join(folder, 'opened.xlsx')]
    for (const password of ['Päss wörd 1', '漢字😀']) {
      const bytes = await buffer(content.protectedBy(password))
      expect(bytes.includes('row 1')).toBe(false)
      writeFileSync(locked, bytes)
      const words = (given: string) => ['-p', given, locked, opened]
      expect(() => execFileSync(requirePart('msoffcrypto'), words('wrong'), { stdio: 'ignore' })).toThrow()
      execFileSync(requirePart('msoffcrypto'), words(password))
      const rows = await readTable('xlsx', readFileSync(opened), 'en')
      expect(rows.slice(1).map(([, text]) => text)).toEqual([...odd, ...odd])
    }
    await content.close()
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
  })

  it('whose rows cannot be read leaves no file, and fails', async () => {
    async function* broken() {
      yield ['a']
      throw new Error('the database is gone')
    }
    const stream = await workbookStream([{ name: 'x', header: ['A'], rows: broken() }])
    await expect(encryptedContent(stream, folder)).rejects.toThrow('the database is gone')
    expect(readdirSync(folder)).toEqual([])
  })

  it('of many megabytes has a complete list of sectors', async () => {
    const size = 30_000_000
    async function* content() {
      for (let left = size; left > 0; left -= 1_000_000) yield Buffer.alloc(1_000_000)
    }
    let bytes = 0
    let first: Buffer | undefined
    for await (const piece of compoundFile([{ name: 'EncryptedPackage', size, content }])) {
      first ??= piece
      bytes += piece.length
    }
    const lists = first?.readUInt32LE(44) ?? 0
    expect(bytes % 512).toBe(0)
    expect(lists * 128).toBeGreaterThanOrEqual(bytes / 512 - 1)
    expect(first?.readUInt32LE(72)).toBeGreaterThan(0)
  })
})
