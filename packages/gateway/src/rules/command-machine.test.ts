import { describe, expect, test } from 'vitest'
import { decideDangerous } from '../testing-shells.ts'
import { CommandMachine } from './command-machine.ts'
import type { ReaderEffect } from './reader-events.ts'

/** A machine with a manual clock and immediate decisions. */
function driven(guarded = true) {
  const machine = new CommandMachine({ cols: 80, rows: 24 }, guarded)
  const effects: ReaderEffect[] = []
  let at = 0
  const step = (event: { kind: 'keys' | 'output'; bytes: Buffer } | { kind: 'time' | 'close' }) => {
    const next = machine.step({ ...event, at })
    for (let todo = next; todo.length > 0; ) {
      effects.push(...todo)
      const asked = todo.find((effect) => effect.kind === 'decide')
      todo = asked ? machine.step({ kind: 'decided', at, decision: decideDangerous(asked.command) }) : []
    }
  }
  const wait = (time: number) => {
    for (const end = at + time; ; step({ kind: 'time' })) {
      at = Math.min(machine.wakeAt ?? end, end)
      if (at >= end) return
    }
  }
  return {
    machine,
    wait,
    type: (text: string) => step({ kind: 'keys', bytes: Buffer.from(text) }),
    hear: (text: string) => step({ kind: 'output', bytes: Buffer.from(text) }),
    close: () => step({ kind: 'close' }),
    sent: () => Buffer.concat(effects.flatMap((effect) => (effect.kind === 'send' ? [effect.bytes] : []))).toString(),
    logged: () => effects.flatMap((effect) => (effect.kind === 'completed' ? [effect.command.text] : [])),
    unread: () => effects.flatMap((effect) => (effect.kind === 'completed' ? [effect.command.unread] : [])),
    /** What the log says the screen showed instead. */
    shown: () =>
      effects.flatMap((effect) =>
        effect.kind === 'completed' && effect.command.shown !== undefined ? [effect.command.shown] : [],
      ),
  }
}

describe('the machine that reads commands', () => {
  test('a line whose echo arrives long after its Enter was sent is still logged', () => {
    const it = driven()
    it.hear('$ ')
    it.type('cd /tmp\r')
    it.hear('cd /tmp')
    it.hear('\r\n')
    it.type('echo one\recho two\r')
    it.wait(3000)
    it.hear('$ echo one\r\none\r\n$ echo two\r\ntwo\r\n$ ')
    it.wait(3000)
    it.close()
    expect(it.sent()).toBe('cd /tmp\recho one\recho two\r')
    expect(it.logged()).toContain('echo one')
  })

  test.each([
    ['before the prompt', '\r\n', 'me@vm:~$ '],
    ['after the prompt', '\r\nme@vm:~$ ', ''],
  ])('a line typed %s of a slow target is logged as it was typed, once', (_when, first, then) => {
    const it = driven()
    it.hear('me@vm:~$ ')
    it.wait(1000)
    it.type('rm -rf x')
    it.hear('rm -rf x')
    it.type('\r')
    it.hear('\b\b\b\b\b\b\b\b\u001b[K')
    it.wait(100)
    it.hear(first)
    it.type('echo two-$((1 + 1))\r')
    if (then !== '') it.hear(then)
    it.wait(2000)
    it.hear('echo two-$((1 + 1))\r\ntwo-2\r\nme@vm:~$ ')
    it.wait(3000)
    it.close()
    expect(it.logged()).toEqual(['rm -rf x', 'echo two-$((1 + 1))'])
    expect(it.shown()).toEqual([])
  })

  test.each([
    ['before an answer', 'id', '\r\nme@vm:~$ ', ''],
    ['before the prompt', '', '\r\n', 'id'],
  ])('a line typed %s is logged where echo is off', (_when, early, answer, later) => {
    const it = driven()
    it.hear('me@vm:~$ ')
    it.wait(1000)
    it.type('stty -echo')
    it.hear('stty -echo')
    it.type('\r')
    it.type(early)
    it.hear(answer)
    it.type(later)
    if (later !== '') it.hear('me@vm:~$ ')
    it.type('\r')
    it.wait(2000)
    it.hear('\r\nuid=0\r\nme@vm:~$ ')
    it.wait(3000)
    it.close()
    expect(it.logged()).toEqual(['stty -echo', 'id'])
    expect(it.shown()).toEqual([''])
  })

  test('a full-screen program is recognized also when keys were typed ahead of it, and a job is not', () => {
    const it = driven()
    const at = (prompt: string, command: string) => {
      it.hear(prompt)
      it.type(command)
      it.hear(command)
      it.type('\r')
      it.hear('\r\n')
    }
    at('me$ ', 'less file')
    it.type('G')
    it.hear('\u001b[?1049h\u001b[24;1H')
    it.type('/rm -rf x\r')
    it.wait(3000)
    expect(it.sent()).toContain('G/rm -rf x\r')
    it.type('q')
    it.hear('\u001b[?1049l')
    at('me$ ', '(sleep 1; paint) &')
    at('me$ ', 'less /nothing')
    it.hear('No such file\r\nme$ \u001b[?1049h\u001b[24;1H')
    it.type('rm -rf x')
    it.hear('rm -rf x')
    it.type('\r')
    it.wait(3000)
    expect(it.logged()).toContain('rm -rf x')
    expect(it.sent()).not.toMatch(/[^/]rm -rf x\r/)
  })

  test('wakes up only while it waits for something', () => {
    const it = driven()
    expect(it.machine.wakeAt).toBeUndefined()
    it.hear('$ ')
    it.type('ls\r')
    expect(it.machine.wakeAt).toBeDefined()
    it.wait(20_000)
    expect(it.machine.wakeAt).toBeUndefined()
    expect(it.machine.isIdle).toBe(true)
    it.close()
    expect(it.machine.step({ kind: 'output', at: 1e6, bytes: Buffer.from('late') })).toEqual([])
  })

  test('keys wait during a decision, up to a limit, and Ctrl-C overtakes them', () => {
    const machine = new CommandMachine({ cols: 80, rows: 24 }, true)
    const step = (kind: 'keys' | 'output', text: string, at: number) =>
      machine.step({ kind, at, bytes: Buffer.from(text) })
    step('output', '$ ', 0)
    step('keys', 'ls', 1)
    step('output', 'ls', 2)
    expect(step('keys', '\r', 3)).toMatchObject([{ kind: 'decide' }])
    expect(step('keys', 'x'.repeat(70_000), 4)).toEqual([])
    expect(machine.hasRoom).toBe(false)
    step('keys', '\u0003', 5)
    expect(machine.hasRoom).toBe(true)
    const after = [
      ...machine.step({ kind: 'decided', at: 6, decision: { run: true, risk: 0 } }),
      ...machine.step({ kind: 'time', at: 500 }),
    ]
    const sent = after.flatMap((effect) => (effect.kind === 'send' ? [effect.bytes.toString()] : []))
    expect(sent).toEqual(['\r', '\u0003'])
    expect(after).toContainEqual({ kind: 'drained' })
  })

  test('without rules nothing is held, whatever is typed', () => {
    const it = driven(false)
    it.hear('$ ')
    it.type('rm -r\u001b[A\u001b[OM')
    expect(it.sent()).toBe('rm -r\u001b[A\u001b[OM')
  })

  describe('without rules, the log has', () => {
    const prompt = 'me@a-host-with-a-long-name-in-the-data-centre:~/folder$ '
    const typed = (keys: string, echo: string, after: string) => {
      const it = driven(false)
      it.hear(prompt)
      it.wait(1000)
      it.type(keys)
      it.hear(echo)
      it.wait(500)
      it.type('\r')
      it.wait(3000)
      it.hear(after)
      it.wait(3000)
      it.close()
      expect(it.sent()).toBe(`${keys}\r`)
      return it
    }

    test('the line that a search has found', () => {
      const shown = "\r\u001b[K(reverse-i-search)`ing -c': ping -c 1 127.0.0.1"
      const it = typed('\u0012ing -c', shown, `\r\u001b[K${prompt}ping -c 1 127.0.0.1\r\nPING\r\n${prompt}`)
      expect(it.logged()).toEqual(['ping -c 1 127.0.0.1'])
      expect(it.unread()).toEqual([undefined])
    })

    test('what a shell shows that it has taken from its history', () => {
      const it = typed('!pi', '!pi', `\r\nping -c 1 127.0.0.1\r\nPING\r\n${prompt}`)
      expect(it.logged()).toEqual(['!pi'])
      expect(it.shown()).toEqual(['ping -c 1 127.0.0.1'])
    })

    test('that a line cannot be read, which stands in a form that is not known', () => {
      const it = typed('\u0012ing -c', '\r\u001b[Kseek<ing -c> 2 of 9', `\r\n${prompt}`)
      expect(it.unread()).toEqual(['unseen'])
    })
  })

  test('random input always terminates', () => {
    const it = driven()
    const pieces = [
      '\u001b[200~',
      '\u001b[',
      '\u001b]0;',
      '\u001bP',
      '\u0016',
      '\u0012',
      '\u0004',
      '\u0019',
      '\u007f',
      'é',
      '\n',
      '\u001b.',
      '\u000f',
      '&\r',
      '\u001b[?1049h',
      '\u001b[5;5H',
    ]
    let seed = 7
    const next = () => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return pieces[seed % pieces.length] as string
    }
    for (let at = 0; at < 4000; at++) {
      if (at % 3 === 0) it.hear(next() + next())
      else it.type(next())
      if (at % 50 === 0) it.wait(100)
    }
    it.wait(60_000)
    expect(it.machine.isIdle).toBe(true)
  })
})
