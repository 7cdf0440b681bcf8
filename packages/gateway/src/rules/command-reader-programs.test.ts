import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { describeShells } from '../testing-shell-tests.ts'
import { texts, wait } from '../testing-shells.ts'

describeShells(
  'reading commands around programs that have the screen, and a busy shell',
  {
    traces: 'programs',
    parts: ['vim', 'top', 'less', 'tmux'],
    untraced: { 'a large output does not lose the state': 'three megabytes of output' },
  },
  (test) => {
    test('keys typed in vim, top or less are not read as commands', async ({ open }) => {
      const it = await open()
      it.type('vim -u NONE -N note.txt\r')
      await it.until(() => it.reader.screen.emulator.buffer.active.type === 'alternate')
      await it.settle()
      it.type('irm -rf /in-vim\r')
      await it.settle()
      it.type('shutdown now\r\u001b')
      await it.settle()
      it.type(':wq\r')
      await it.until(() => it.reader.screen.emulator.buffer.active.type === 'normal')
      await it.settle()
      it.type('cat note.txt\r')
      await it.until(() => it.log.length === 2)
      expect(texts(it)).toEqual(['vim -u NONE -N note.txt', 'cat note.txt'])
      expect(it.log[1]?.output).toContain('rm -rf /in-vim\nshutdown now')
      // Of its own processes only: the session is kept.
      it.type('top -p $$\r')
      await it.settle(300)
      it.type('d')
      await it.settle(300)
      it.type('1\r')
      await it.settle(300)
      it.type('q')
      await it.settle(300)
      it.type('seq 500 | less\r')
      await it.settle(300)
      it.type('/rm -rf\r')
      await it.settle(300)
      it.type('qecho back\r')
      await it.until(() => it.log.some((entry) => entry.text === 'echo back'))
      expect(texts(it).slice(2)).toEqual(['top -p $$', 'seq 500 | less', 'echo back'])
    })

    test('input typed ahead of the end of a full-screen program is read when the shell gets it', async ({ open }) => {
      const it = await open()
      it.type('seq 500 | less\r')
      await it.settle(300)
      it.type('qrm -r')
      it.type('f /x\r')
      await it.until(() => it.log.some((entry) => entry.risk === 5))
      await it.settle()
      it.type('(seq 500 | less; sleep 1)\r')
      await it.settle(300)
      it.type('qrm -rf /x\r')
      await it.until(() => it.log.filter((entry) => entry.risk === 5).length === 2)
    })

    test('commands inside tmux are decided on too', async ({ open }) => {
      const it = await open()
      it.type('tmux -f /dev/null new\r')
      await it.until(() => it.reader.screen.emulator.buffer.active.type === 'alternate')
      await it.settle(300)
      it.type("PS1='me@here:\\w$ '; clear\r")
      await it.settle(300)
      it.type('mkdir -p a; rm -rf a')
      await it.settle(300)
      it.type('\r')
      await it.until(() => it.log.some((entry) => entry.risk === 5))
      await it.settle(300)
      it.type("PS1='q> '\r")
      await it.settle(300)
      it.type('rm -rf a')
      await it.settle(300)
      it.type('\r')
      await it.until(() => it.log.filter((entry) => entry.risk === 5).length === 2)
      await it.settle(300)
      it.type('exit\r')
      await it.until(() => it.reader.screen.emulator.buffer.active.type === 'normal')
    })

    test('switching to the alternate screen manually hides nothing, nor does another prompt on it', async ({
      open,
    }) => {
      const it = await open()
      it.type("printf '\\033[?1049h'\r")
      await it.settle()
      it.type('rm -rf /hidden\r')
      await it.until(() => it.log.some((entry) => entry.risk === 5))
      await it.settle()
      it.type("printf '\\033[?1049h'; PS1='zz> '\r")
      await it.settle()
      it.type('rm -rf /hidden\r')
      await it.until(() => it.log.filter((entry) => entry.risk === 5).length === 2)
    })

    test('history keys typed ahead of a busy shell cannot run a line unseen', async ({ open }) => {
      const it = await open()
      it.type('x=rm; history -s "$x -rf /typed-ahead"\r')
      await it.settle()
      it.type("sleep 1; echo wo''ke\r")
      await it.quiet(100, 500)
      it.type('\u001b[A\u001b[A\r')
      await it.until(() => it.picture().includes('woke'))
      await it.settle()
      expect(it.picture()).not.toContain('typed-ahead\n')
      it.type('stty -echo\r')
      await it.settle()
      it.type('\u001b[A\u001b[A\r')
      await it.settle()
      it.type('stty echo\r')
      await it.settle()
      expect(it.log.filter((entry) => entry.text.includes('typed-ahead') && entry.risk === 0)).toHaveLength(1)
    })

    for (const [at, said] of ['', 'echo hi; '].entries())
      test(`history keys that the terminal buffers for its shell run no line unseen: ${said}`, async ({
        open,
        home,
      }) => {
        const it = await open()
        const isThere = (file: string) => existsSync(join(home, `${file}-${at}`))
        it.type('x=rm; history -s "$x -rf /kept-unread"\r')
        await it.settle()
        it.type(`stty raw -echo; touch raw-${at}; sleep 1; stty -raw echo; ${said}touch cooked-${at}; sleep 4\r`)
        await it.until(() => isThere('raw'))
        it.type('\u001b[A\u001b[A')
        await it.until(() => isThere('cooked'))
        it.type('\r')
        await it.until(() => it.picture().includes('unseen'))
        it.type('\r')
        const isRecalled = () => it.picture().includes('rm -rf /kept-unread')
        const isBrokenOff = () => it.picture().includes('^C')
        await it.until(() => isRecalled() || isBrokenOff())
        await it.settle()
        // A line that could not be cleared in time was aborted, and the terminal has dropped the keys with it.
        if (isBrokenOff()) return expect(isRecalled()).toBe(false)
        // Typed after the recalled text, it is not all of the line.
        it.type(' -v')
        await it.settle()
        it.type('\r')
        await it.until(() => it.log.some(({ risk }) => risk === 5))
        expect(it.log.filter(({ text, risk }) => text.includes('kept-unread') && risk === 0)).toHaveLength(1)
      })

    for (const typed of [
      { how: 'one after the other', keys: ['\u001b[A', '\u001b[A'], pause: 120 },
      { how: 'at once', keys: ['\u001b[A\u001b[A'], pause: 0 },
    ])
      test(`a line recalled over a slow connection is decided on when the last key has taken effect: ${typed.how}`, async ({
        open,
      }) => {
        const it = await open(80, 300)
        it.type('x=rm; history -s "$x -rf /recalled"\r')
        await it.settle(500)
        it.type('echo one\r')
        await it.settle(500)
        for (const key of typed.keys) {
          it.type(key)
          await wait(typed.pause)
        }
        it.type('\r')
        await it.until(() => it.log.some((entry) => entry.risk === 5))
        expect(it.log.at(-1)).toMatchObject({ text: 'rm -rf /recalled', risk: 5 })
        expect(it.log.filter((entry) => entry.text === 'echo one')).toHaveLength(1)
      })

    test('a line recalled while the previous command is still writing output is decided on, too', async ({ open }) => {
      const it = await open(80, 300)
      it.type('x=rm; history -s "$x -rf /in-pieces"\r')
      await it.settle(1000)
      it.type('echo one\r')
      // The keys are sent between the command and its output.
      await it.until(() => it.picture().includes('echo one') && it.reader.isIdle)
      for (const key of ['\u001b[A', '\u001b[A', '\r']) {
        it.type(key)
        await wait(120)
      }
      const isRefused = () => it.log.some(({ risk }) => risk === 5) || it.picture().includes('unseen')
      await it.until(isRefused)
    })

    test('a large output does not lose the state', async ({ open }) => {
      const it = await open()
      it.type('seq 400000\r')
      await it.until(() => it.picture().includes('400000'))
      await it.settle()
      it.type('echo after\r')
      await it.until(() => it.log.length === 2)
      expect(texts(it)).toEqual(['seq 400000', 'echo after'])
    })
  },
)
