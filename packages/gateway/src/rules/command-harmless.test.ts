import { describeShells } from '../testing-shell-tests.ts'
import { settled } from '../testing-shells.ts'

const erase = '\u007f'
const esc = '\u001b'
const taken = { kill: '\u0015', word: '\u0017', home: '\u0001', rest: '\u000b', interrupt: '\u0003' }
const ls = 'ls -d /\r'

/** The typed input in parts, and the last line of the log. */
const harmless: { how: string; parts: (string | typeof settled)[]; logged?: string }[] = [
  { how: 'erased key by key', parts: [`rm -rf${erase.repeat(6)}${ls}`] },
  { how: 'erased key by key in sh', parts: ['sh\r', `rm -rf${erase.repeat(6)}${ls}`] },
  { how: 'killed', parts: [`rm -rf x${taken.kill}${ls}`] },
  { how: 'killed in sh', parts: ['sh\r', `rm -rf x${taken.kill}${ls}`] },
  { how: 'taken out by words', parts: [`rm -rf x${taken.word.repeat(3)}${ls}`] },
  { how: 'taken out from its beginning', parts: [`rm -rf x${taken.home}${taken.rest}${ls}`] },
  { how: 'taken out with cursor keys', parts: [`rm -rf${`${esc}[D`.repeat(6)}${`${esc}[3~`.repeat(6)}${ls}`] },
  { how: 'taken out by Ctrl-D', parts: [`rmx${taken.home}`, '\u0004'.repeat(3), ls] },
  { how: 'broken off', parts: [`rm -rf${taken.interrupt}`, ls] },
  { how: 'broken off in sh', parts: ['sh\r', `rm -rf${taken.interrupt}`, ls] },
  {
    how: 'erased between wide characters',
    parts: [`echo 漢字${erase}rm -rf${erase.repeat(6)}é; ${ls}`],
    logged: 'echo 漢é; ls -d /',
  },
  { how: 'seen in the history', parts: ['x=rm; history -s "$x -rf /seen"\r', `${esc}[A`, `${esc}[B`, ls] },
  { how: 'yanked nowhere', parts: [`rm -rf x${taken.kill}`, 'ls -d /', '\u0019', erase.repeat(8), '\r'] },
  {
    how: 'in two lines that have nothing to do with each other',
    parts: ['echo rm\r', 'echo -rf\r'],
    logged: 'echo -rf',
  },
  { how: 'with a job in the background', parts: ['sleep 5 &\r', 'echo rm\r', 'ls -d /\t', settled, '\r'] },
  { how: 'with completion', parts: ['ls -d /etc/host\t', settled, 'name\r'], logged: 'ls -d /etc/hostname' },
  { how: 'behind the end of a shell', parts: ['sh\r', '\u0004', ls] },
  { how: 'behind a job, at the end of a shell', parts: ['sleep 5 &\r', 'sh\r', 'echo rm\r', '\u0004', ls] },
  { how: 'found in the history', parts: [ls, 'echo one\r', settled, '\u0012ls -d', settled, '\r'] },
  {
    how: 'found and gone on with',
    parts: ['ls -d /', '\r', settled, '\u001bpls', settled, '\r', settled, '\u0005 ', settled, '\r'],
  },
  { how: 'with exclamation marks that mean themselves', parts: [`echo 'a!b' done! "c!" \\!d $! ^e^f\r`, ls] },
  { how: 'in a here-document', parts: ['cat <<X\r', 'one\r', 'X\r', ls] },
]

describeShells('a harmless command is run and logged as it is', { traces: 'harmless', concurrent: true }, (test) => {
  for (const [at, { how, parts, logged }] of harmless.entries())
    test(how, async ({ attack, expect }) => {
      const { log, trace } = await attack(`harmless-${at}`, [...parts, 900])
      expect(log.filter(({ risk }) => risk === 5)).toEqual([])
      expect(trace).not.toContain('-> unseen')
      expect(log.map(({ text }) => text).at(-1)).toBe(logged ?? 'ls -d /')
    })

  test('a hidden line at a prompt is logged, and a typed password is not', async ({ attack, expect }) => {
    const lines = ['stty -echo', 'sh', 'echo one', 'echo two', 'read -p "Password: " p', 'secret-word', 'echo three']
    const parts = lines.flatMap((line) => [`${line}\r`, 600])
    const { log } = await attack('blind', parts)
    const text = JSON.stringify(log)
    // Typed before the prompt appeared, so it is logged with the text on the screen.
    expect(text).toMatch(/echo two \[shown: \$?\]/)
    expect(text).not.toContain('secret-word')
  })
})
