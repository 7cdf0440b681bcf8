import { SerializeAddon } from '@xterm/addon-serialize'
import headless from '@xterm/headless'
import { expect, test } from 'vitest'
import { type CommandRow, clock, currentCommand, markCommands, startFrom } from './commands.ts'
import { type HiddenTerminal, Keyframes } from './keyframes.ts'
import { Player, type PlayerScreen } from './player.ts'
import { Recording } from './recording.ts'

const started = 1_700_000_000
const text = (rows: unknown[]) =>
  [
    JSON.stringify({ version: 2, width: 40, height: 10, timestamp: started }),
    ...rows.map((row) => JSON.stringify(row)),
  ].join('\n')

const recordingOf = (rows: unknown[]) =>
  new Promise<Recording>((resolve, reject) => {
    const source = new Blob([text(rows)]).stream()
    Recording.open(source, (recording) => recording.complete && resolve(recording)).catch(reject)
  })

function terminal() {
  const term = new headless.Terminal({ cols: 40, rows: 10, allowProposedApi: true, scrollback: 0 })
  const serialize = new SerializeAddon()
  term.loadAddon(serialize as never)
  const hidden: HiddenTerminal & PlayerScreen = {
    write: (data, done) => term.write(data, done),
    resize: (columns, rows) => term.resize(columns, rows),
    reset: () => term.reset(),
    picture: () => serialize.serialize({ scrollback: 0 }),
    dispose: () => term.dispose(),
  }
  const lines = () =>
    Array.from({ length: term.rows }, (_, i) => term.buffer.active.getLine(i)?.translateToString(true).trimEnd() ?? '')
  return { ...hidden, term, lines }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 5))
async function run(player: Player, frames: number, step = 100) {
  for (let i = 0; i < frames; i++) {
    clockNow += step
    player.tick(clockNow)
    await settle()
  }
}
let clockNow = 0

/** A full-screen program that repaints four times a second, 2 MB. */
const painting = Array.from({ length: 4000 }, (_, i) => [
  i / 4,
  'o',
  `\x1b[2J\x1b[H\x1b[3${i % 8}mframe ${i / 4}\x1b[0m\r\n${'-'.repeat(300)}\x1b[2;1Hline two of ${i / 4} \x1b[1m${'\x1b[m'.repeat(20)}`,
])

test('plays in real time, at any speed, and stops at the end', async () => {
  const recording = await recordingOf([
    [0.2, 'o', 'one '],
    [1, 'o', 'two '],
    [1.9, 'o', 'three'],
  ])
  const screen = terminal()
  const player = new Player(recording, screen, new Keyframes(), () => undefined)
  player.play()
  await run(player, 6)
  expect(screen.lines()[0]).toBe('one')
  player.setSpeed(4)
  await run(player, 2)
  expect(screen.lines()[0]).toBe('one two')
  await run(player, 4)
  expect(screen.lines()[0]).toBe('one two three')
  expect(player.playing).toBe(false)
  expect(player.time).toBe(1.9)
})

test('skips silence only on request', async () => {
  const recording = await recordingOf([
    [0, 'o', 'a'],
    [600, 'o', 'b'],
  ])
  const screen = terminal()
  const player = new Player(recording, screen, new Keyframes(), () => undefined)
  player.setSkipIdle(false)
  player.play()
  await run(player, 15)
  expect(screen.lines()[0]).toBe('a')
  player.setSkipIdle(true)
  await run(player, 15)
  expect(screen.lines()[0]).toBe('ab')
})

test('a jump shows the same as playing to that time: forward, backward, and from a keyframe', async () => {
  const recording = await recordingOf(painting)
  expect(recording.blocks).toBeGreaterThan(4)
  const frames = new Keyframes()
  const hidden = terminal()
  expect(await frames.take(recording, hidden, 0)).toBe(recording.blocks)
  expect(frames.count).toBe(recording.blocks - 1)
  const screen = terminal()
  const player = new Player(recording, screen, frames, () => undefined)
  for (const timestamp of [900, 100.5, 0, 450, 451, 999, 3]) {
    await player.seek(timestamp)
    expect(screen.lines()[0]).toBe(`frame ${timestamp}`)
    expect(screen.lines()[1]).toMatch(new RegExp(`^line two of ${timestamp} -`))
    expect(player.seeking).toBe(false)
  }
})

test('a jump without keyframes renders from the beginning with the same result', async () => {
  const recording = await recordingOf(painting)
  const screen = terminal()
  const player = new Player(recording, screen, new Keyframes(), () => undefined)
  await player.seek(700)
  await player.seek(650)
  expect(screen.lines()[0]).toBe('frame 650')
})

test('the later of two jumps wins', async () => {
  const recording = await recordingOf(painting)
  const screen = terminal()
  const player = new Player(recording, screen, new Keyframes(), () => undefined)
  const first = player.seek(950)
  const second = player.seek(20)
  await Promise.all([first, second])
  expect(screen.lines()[0]).toBe('frame 20')
  expect(player.time).toBe(20)
})

test('playback continues after a jump, and restarts at the end', async () => {
  const recording = await recordingOf([
    [0, 'o', 'a'],
    [5, 'o', 'b'],
    [5.2, 'o', 'c'],
  ])
  const screen = terminal()
  const player = new Player(recording, screen, new Keyframes(), () => undefined)
  player.play()
  await player.seek(5)
  await run(player, 6)
  expect(screen.lines()[0]).toBe('abc')
  expect(player.ended).toBe(true)
  player.play()
  await settle()
  await run(player, 3)
  expect(screen.lines()[0]).toBe('a')
})

test('applies resize events', async () => {
  const recording = await recordingOf([
    [0, 'o', 'a'],
    [1, 'r', '60x20'],
    [2, 'o', 'b'],
  ])
  const screen = terminal()
  const player = new Player(recording, screen, new Keyframes(), () => undefined)
  await player.seek(2)
  expect([screen.term.cols, screen.term.rows]).toEqual([60, 20])
  await player.seek(0)
  expect([screen.term.cols, screen.term.rows]).toEqual([40, 10])
})

const row = (id: string, second: number, risk = 0): CommandRow => ({
  id,
  input: id,
  timestamp: started + second,
  risk_level: { value: risk, label: '' },
})

test('positions a command where it was typed, and never jumps before the previous command', () => {
  const marks = markCommands([row('b', 3), row('a', 1, 5), row('c', 60, 4), row('late', 900)], started, 120)
  expect(marks.map(({ id, at, jump, tone }) => [id, at, jump, tone])).toEqual([
    ['a', 1, 0, 'danger'],
    ['b', 3, 1, undefined],
    ['c', 60, 55, 'warning'],
    ['late', 120, 115, undefined],
  ])
  expect(currentCommand(marks, 0)).toBe(-1)
  expect(currentCommand(marks, 1)).toBe(0)
  expect(currentCommand(marks, 59)).toBe(1)
  expect(currentCommand(marks, 500)).toBe(3)
  expect(currentCommand([], 5)).toBe(-1)
})

test('?timestamp= starts five seconds early', async () => {
  const recording = await recordingOf([[0, 'o', 'a']])
  expect(startFrom(String(started + 65), recording, 0)).toBe(60)
  expect(startFrom(String(started + 2), recording, 0)).toBe(0)
  expect(startFrom(null, recording, 0)).toBe(0)
  expect(startFrom('x', recording, 0)).toBe(0)
})

test('formats times as clock times', () => {
  expect([0, 61.9, 3600, 36_061].map(clock)).toEqual(['00:00', '01:01', '1:00:00', '10:01:01'])
})
