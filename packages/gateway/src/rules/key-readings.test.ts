import { describe, expect, test } from 'vitest'
import { isOverlong, type KeyCircumstances, keyReadings, type LineKeys } from './key-readings.ts'
import { LineMemory } from './line-memory.ts'
import { screenProgramOf } from './screen-programs.ts'
import { TtySettings } from './tty-settings.ts'
import { TypedLine } from './typed-line.ts'

const enter = 0x0d
const erase = '\u007f'
const esc = '\u001b'

function readings(keys: string, more: Partial<KeyCircumstances & LineKeys> = {}) {
  const { carried = Buffer.alloc(0), isOpen = false, memory = new LineMemory() } = more
  const line = { bytes: Buffer.from(keys), carried, isOpen, memory }
  return keyReadings(line, { endedBy: enter, isConfirmed: true, keys: undefined, ...more })
}

describe('possible readings of the keys of a line', () => {
  test('an ordinary line has one reading, also after erasing', () => {
    expect(readings('ls -l')).toEqual(['ls -l'])
    expect(readings(`rm -rf${erase.repeat(6)}ls`)).toEqual(['ls'])
    expect(readings('rm -rf\u0015ls')).toEqual(['ls'])
  })

  test('one key may erase a byte, a code point or a character', () => {
    expect(readings(`aé${erase}${erase}b`)).toEqual(expect.arrayContaining(['ab', 'b']))
    expect(readings(`a漢漢${erase.repeat(4)}b`)).toContain('ab')
    expect(readings(`ae\u0301${erase}b`)).toEqual(expect.arrayContaining(['ab', 'aeb']))
  })

  test('only keys not confirmed by the screen are read without editing', () => {
    const keys = 'rm -rf x\u0001\u000bls'
    expect(readings(keys)).toEqual(['ls'])
    expect(readings(keys, { isConfirmed: false })).toContain('rm -rf x\u0001\u000bls')
  })

  test('CR may have been ignored before any other end of a line', () => {
    const carried = Buffer.from('rm -r\r')
    expect(readings('f x', { carried })).toEqual(['f x'])
    expect(readings('f x', { carried, endedBy: 0x0a })).toContain('rm -rf x')
    expect(readings('f x', { carried, endedBy: 0x04 })).toContain('rm -rf x')
    expect(readings('f x', { carried, isOpen: true })).toContain('rm -rf x')
  })

  test('text passed on by Ctrl-D is not erased', () => {
    expect(readings(`rm -r\u0004${erase}f x`)).toContain('rm -rf x')
  })

  test('a long text is read unchanged, and edited for too long it is not followed', () => {
    const line = { carried: Buffer.alloc(0), isOpen: false, memory: new LineMemory() }
    const text = 'x'.repeat(10_000)
    expect(readings(text)).toEqual([text])
    expect(isOverlong({ ...line, bytes: Buffer.from(text) })).toBe(false)
    expect(isOverlong({ ...line, bytes: Buffer.from(`x${erase}`.repeat(5000)) })).toBe(true)
  })

  test('keys set by stty count as well', () => {
    const settings = new TtySettings()
    settings.learn('stty erase x -echoe')
    expect(readings('rm -zxrf d', { keys: settings.keys })).toContain('rm -rf d')
    settings.learn('stty e"ra"se ^H')
    expect(readings(`rm -rf d #${erase.repeat(4)}`, { keys: settings.keys }).join()).toContain('rm -rf d #')
  })
})

test('stty sets the key that ends the input, in any notation', () => {
  for (const command of ['stty eof x', "stty 'eof' 0170", 'stty eof 0x78', 'stty 500:5:bf:8a3b:3:1c:7f:15:78:0:1']) {
    const settings = new TtySettings()
    settings.learn(command)
    expect([...(settings.keys?.endOfFile ?? [])], command).toEqual([0x78])
  }
})

test('jobs are recognized by their start', () => {
  const hasJobs = (command: string) => {
    const settings = new TtySettings()
    settings.learn(command)
    return settings.hasJobs
  }
  for (const command of ['sleep 1 &', '(a; b) & c', 'coproc x', 'ls; bg']) expect(hasJobs(command), command).toBe(true)
  for (const command of ['a && b', 'make 2>&1', 'x &> y', 'a |& b']) expect(hasJobs(command), command).toBe(false)
})

test.each([
  ['m -rf x\u0015r\u0019', 'rm -rf x'],
  ['mr\u0014 x', 'rm x'],
  [`RM x\u0001${esc}l`, 'rm x'],
  [`one two${esc}b${esc}d\u0001\u0019 `, 'two one'],
  [`a b\u0017c\u0019`, 'a cb'],
  [`${esc}[A`, 'second -x'],
  [`${esc}[A${esc}[A${esc}[B`, 'second -x'],
  ['\u0012fir', 'first'],
  [`x ${esc}.`, 'x -x'],
])('the keys %j of a line editor make %j', (keys, text) => {
  const memory = new LineMemory()
  for (const line of ['first', 'second -x']) memory.entered(line)
  const typed = new TypedLine(memory)
  typed.edit(Buffer.from(keys))
  expect([typed.known, typed.text.trimEnd()]).toEqual([true, text])
})

test('keys whose effect only the screen shows are not guessed', () => {
  for (const key of ['\t', `${esc}[A`, '\u0012x', `${esc}1`, '\u001f', `${esc}#`]) {
    const typed = new TypedLine(new LineMemory())
    typed.edit(Buffer.from(`a${key}`))
    expect(typed.known, JSON.stringify(key)).toBe(false)
  }
})

test.each([
  ['vim -u NONE x', true],
  ['cd /etc && sudo vim hosts', true],
  ['dmesg | grep -i usb | less', true],
  ['(seq 500 | less; sleep 1)', true],
  ['EDITOR=vim crontab -e', true],
  ['docker exec -it web vim /etc/hosts', true],
  ['git log', true],
  ['vim x; sh', false],
  ["printf '\\e[?1049h'; less x", false],
  ['less x & sleep 1', false],
  ["vim -c '!sh'", false],
  ["vim --cmd 'set t_te='", false],
  ['less -X x', false],
  ['TERM=fake vim', false],
  ['less $(sh)', false],
  ['ls', false],
  ['tmux', false],
])('%s starts a known full-screen program: %s', (command, isKnown) => {
  expect(screenProgramOf(command, new Set()) !== undefined).toBe(isKnown)
  expect(screenProgramOf(command, new Set(['vim', 'less', 'git', 'crontab']))).toBeUndefined()
})
