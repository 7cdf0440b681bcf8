import { hasSshd } from '@castellan/testing/sshd'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { RealShells, texts } from '../testing-shells.ts'

describe.skipIf(!hasSshd)('reading commands from a real shell', { timeout: 30_000 }, () => {
  let shells: RealShells
  beforeAll(async () => {
    shells = await RealShells.start()
  })
  afterEach(() => shells.rest())
  afterAll(() => shells?.stop())

  test('a typed command is logged with its output', async () => {
    const it = await shells.open()
    it.type('echo hello')
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]).toMatchObject({ text: 'echo hello', output: 'hello', risk: 0 })
  })

  test('a forbidden command never runs, and the line is empty afterwards', async () => {
    const it = await shells.open()
    it.type('mkdir keep; rm -rf keep\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]).toMatchObject({ text: 'mkdir keep; rm -rf keep', risk: 5 })
    await it.settle()
    it.type('ls -d keep; echo "[$?]"\r')
    await it.until(() => it.picture().includes('[2]'))
  })

  test('cursor keys, history and completion do not hide a command', async () => {
    const it = await shells.open()
    it.type('rf /x\u001b[H')
    it.type('rm -')
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]).toMatchObject({ text: 'rm -rf /x', risk: 5 })
    await it.settle()
    it.type('history -s "rm -rf /from-history"\r')
    await it.until(() => it.log.length === 2)
    await it.settle()
    it.type('history -s "rm" "-r""f /from-history"\r')
    await it.settle()
    it.type('\u001b[A\r')
    await it.until(() => it.log.some((entry) => entry.text === 'rm -rf /from-history'))
    expect(it.log.at(-1)?.risk).toBe(5)
    await it.settle()
    it.type('touch /tmp/shutdown-file\r')
    await it.settle()
    expect(it.log.at(-1)?.risk).toBe(5)
    it.type('touch /tmp/shut""down-file; echo\r')
    await it.settle()
    it.type('cat /tmp/shutd\t')
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.some((entry) => entry.text.startsWith('cat /tmp/shutdown')))
    expect(it.log.at(-1)?.risk).toBe(5)
  })

  test('every line of a paste is read, and a wrapped line whole', async () => {
    const it = await shells.open(40)
    it.type('cd /tmp\recho one\recho two\r')
    await it.until(() => it.log.length === 3)
    expect(texts(it)).toEqual(['cd /tmp', 'echo one', 'echo two'])
    await it.settle()
    const long = `echo ${'x'.repeat(90)} end`
    it.type(long)
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 4)
    expect(texts(it).at(-1)).toBe(long)
  })

  test('a bracketed paste with a forbidden line never reaches the target', async () => {
    const it = await shells.open()
    expect(it.reader.screen.bracketedPaste).toBe(true)
    it.type('\u001b[200~echo first\nrm -rf /pasted\necho last\u001b[201~\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]).toMatchObject({ text: 'rm -rf /pasted', risk: 5 })
    await it.settle()
    expect(it.picture()).not.toContain('echo last')
  })

  test('a bracketed paste without one runs whole', async () => {
    const it = await shells.open()
    it.type('\u001b[200~echo first\necho last\u001b[201~')
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]?.text).toBe('echo first\necho last')
    expect(it.log[0]?.output).toContain('first')
  })

  test('CJK text is read as it is shown', async () => {
    const it = await shells.open(40)
    const text = `echo 你好世界こんにちは${'漢字'.repeat(10)}`
    it.type(text)
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 1)
    expect(texts(it)).toEqual([text])
  })

  test('a password is not logged, and what follows it is', async () => {
    const it = await shells.open()
    it.type('read -s -p "Password: " p\r')
    await it.until(() => it.picture().includes('Password: ') && it.log.length === 0)
    await it.settle()
    it.type('secret-word\r')
    await it.settle()
    it.type('echo done\r')
    await it.until(() => it.log.some((entry) => entry.text === 'echo done'))
    expect(texts(it)).toEqual(['read -s -p "Password: " p', 'echo done'])
    expect(JSON.stringify(it.log)).not.toContain('secret-word')
  })
})
