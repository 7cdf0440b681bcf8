import { expect } from 'vitest'
import { describeShells } from '../testing-shell-tests.ts'
import { texts } from '../testing-shells.ts'

describeShells('reading commands from a real shell', { traces: 'reader' }, (test) => {
  test('a typed command is logged with its output', async ({ open }) => {
    const it = await open()
    it.type('echo hello')
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]).toMatchObject({ text: 'echo hello', output: 'hello', risk: 0 })
  })

  test('a forbidden command never runs, and the line is empty afterwards', async ({ open }) => {
    const it = await open()
    it.type('mkdir keep; rm -rf keep\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]).toMatchObject({ text: 'mkdir keep; rm -rf keep', risk: 5 })
    await it.settle()
    it.type('ls -d keep; echo "[$?]"\r')
    await it.until(() => it.picture().includes('[2]'))
  })

  test('cursor keys, history and completion do not hide a command', async ({ open }) => {
    const it = await open()
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
    it.type('x=rm; history -s "$x -rf /from-history"\r')
    await it.settle()
    it.type('\u001b[A\r')
    await it.until(() => it.log.some((entry) => entry.text === 'rm -rf /from-history'))
    expect(it.log.at(-1)?.risk).toBe(5)
    await it.settle()
    it.type('touch /tmp/shutdown-file\r')
    await it.settle()
    expect(it.log.at(-1)?.risk).toBe(5)
    it.type('x=down; touch /tmp/shut$x-file; echo\r')
    await it.settle()
    it.type('cat /tmp/shutd\t')
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.some((entry) => entry.text.startsWith('cat /tmp/shutdown')))
    expect(it.log.at(-1)?.risk).toBe(5)
  })

  test('every line of a paste is read, and a wrapped line completely', async ({ open }) => {
    const it = await open(40)
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

  test('a bracketed paste with a forbidden line never reaches the target', async ({ open }) => {
    const it = await open()
    expect(it.reader.screen.bracketedPaste).toBe(true)
    it.type('\u001b[200~echo first\nrm -rf /pasted\necho last\u001b[201~\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]).toMatchObject({ text: 'rm -rf /pasted', risk: 5 })
    await it.settle()
    expect(it.picture()).not.toContain('echo last')
  })

  test('a forbidden command in several lines is rejected at its last one, and none of them runs', async ({ open }) => {
    const it = await open()
    it.type('mkdir keep; echo \\\r')
    await it.settle()
    it.type('fine\r')
    await it.until(() => it.log.length === 2)
    expect(it.log[1]).toMatchObject({ text: 'mkdir keep; echo fine', risk: 0 })
    await it.settle()
    it.type('echo ran-$((40+2)); rm \\\r')
    await it.settle()
    it.type('-r\\\r')
    await it.settle()
    it.type('f keep\r')
    await it.until(() => it.log.some(({ risk }) => risk === 5))
    expect(it.log.at(-1)).toMatchObject({ text: 'echo ran-$((40+2)); rm -rf keep', risk: 5 })
    await it.settle()
    it.type('ls -d keep\r')
    await it.until(() => it.log.some(({ text, output }) => text === 'ls -d keep' && output === 'keep'))
    expect(it.picture()).not.toContain('ran-42')
    await it.settle()
    it.type('\u001b[200~rm \\\n-rf keep\u001b[201~')
    await it.until(() => it.log.filter(({ risk }) => risk === 5).length === 2)
  })

  test('a bracketed paste without one runs completely', async ({ open }) => {
    const it = await open()
    it.type('\u001b[200~echo first\necho last\u001b[201~')
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]?.text).toBe('echo first\necho last')
    expect(it.log[0]?.output).toContain('first')
  })

  test('a line that fills the screen and its scrollback does not block, and is not run when its beginning is out of sight', async ({
    open,
  }) => {
    const it = await open()
    it.type('rm -r\t')
    await it.settle()
    it.type(`f keep #${'a'.repeat(6000)}`)
    await it.settle()
    it.type('\r')
    await it.until(() => it.picture().includes('unseen'))
  })

  test('CJK text is read as shown', async ({ open }) => {
    const it = await open(40)
    const text = `echo 你好世界こんにちは${'漢字'.repeat(10)}`
    it.type(text)
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 1)
    expect(texts(it)).toEqual([text])
  })

  test('a password is not logged, and the next line is', async ({ open }) => {
    const it = await open()
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

  test('keys that seem to end a line, or to remove a part of it, hide nothing of the executed line', async ({
    open,
  }) => {
    const it = await open()
    const rejected = () => it.log.filter(({ risk }) => risk === 5).length
    const unseen = () => it.picture().split('unseen').length
    /**
     * Types parts, each after the previous one appeared on the screen, and waits for the rejection: by a rule, or on a
     * slow machine because the line had not been shown before it was sent.
     */
    const refused = async (...parts: string[]) => {
      const before = { rejected: rejected(), unseen: unseen() }
      for (const part of parts) {
        it.type(part)
        await it.settle(80)
      }
      await it.until(() => rejected() > before.rejected || unseen() > before.unseen)
      await it.settle(80)
    }
    /** Runs a harmless line: on a slow machine the shell may have to be asked again, as its prompt had not come back. */
    const runs = async (line: string) => {
      const isLogged = () => it.log.some(({ text, risk }) => text === line && risk === 0)
      while (!isLogged()) {
        const before = unseen()
        it.type(`${line}\r`)
        await it.until(() => isLogged() || unseen() > before)
        await it.settle()
      }
    }
    const keys = { quit: '\u001c', quote: '\u0016', clear: '\u000c', search: '\u0012', macro: '\u0018' }
    it.type('mkdir keep\r')
    await it.settle()
    await refused('r', keys.quit, 'm', keys.quit, ' -rf keep', '\r')
    await refused('rm -r', `${keys.quote}\r`, '\u007f', 'f keep', '\r')
    await refused('rm -r', '\t', keys.clear, 'f keep', '\r')
    // The line a macro or an editor produces is unknown, so it does not run: the recorded session has it as unseen.
    await refused('rm -rf keep', `${keys.macro}e`)
    await it.settle()
    await runs('PS1=\'a-prompt-longer-than-what-is-searched> \'; x=rm; history -s "$x -rf keep"')
    await refused(keys.search, 'keep', '\r')
    await runs('set -o vi')
    const known = rejected()
    it.type('rm -rf keep #')
    await it.until(() => /rm -rf keep #\s*$/.test(it.picture()))
    it.type('\u0001\u000bls')
    // Insert mode shows the keys, so that the whole line is seen before it is sent.
    await it.until(() => /rm -rf keep #\S*ls\s*$/.test(it.picture()))
    it.type('\r')
    await it.until(() => rejected() > known)
    await it.settle(80)
    expect(texts(it).at(-1)).toContain('rm -rf keep')
    await runs('dash')
    await refused('l;rm -rf keep #', '\u001b[D'.repeat(14) + '\u001b[3~'.repeat(14), '\r')
    it.type('ls -d keep\r')
    await it.until(() => it.log.some(({ text, output }) => text === 'ls -d keep' && output.includes('keep')))
  })
})
