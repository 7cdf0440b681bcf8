import { shellForms } from '@castellan/contract/command-rules/shell-quoting'
import { noKeys, type TtyKeys, usualKeys } from './tty-line.ts'

const sttyCommand = /\bstty\s+([^;|&\n]*)/gu
const names: Record<string, keyof TtyKeys> = {
  erase: 'erase',
  kill: 'kill',
  werase: 'wordErase',
  lnext: 'quote',
  eof: 'endOfFile',
}
/** The same keys in the output of `stty -g`: four words of flags, then the keys by number. */
const savedAt: Record<keyof TtyKeys, number> = { erase: 2, kill: 3, endOfFile: 4, wordErase: 14, quote: 15 }
const savedFlags = 4
/** A command that runs in parallel to its shell: a single `&`, a coprocess, or one sent to the background. */
const background = /(?<![&|<>\d])&(?![&>\d])|\bcoproc\b|(?:^|[;&|]\s*)bg\b/u

/** Effects of a session's commands on its terminal: keys set with `stty`, and jobs that may write on it at any time. */
export class TtySettings {
  /** Set once a key was redefined. */
  keys: TtyKeys | undefined
  /** A job was started that may write on the terminal at any time. */
  hasJobs = false

  /** Processes a command about to run. */
  learn(command: string): void {
    if (background.test(command)) this.hasJobs = true
    if (!command.includes('stty')) return
    for (const form of shellForms(command))
      for (const [, words = ''] of form.matchAll(sttyCommand)) this.take(words.trim().split(/\s+/u))
  }

  private take(words: string[]): void {
    for (const [at, word] of words.entries()) {
      const name = names[word]
      if (name) this.set(name, keyCode(words[at + 1] ?? ''))
      else if (word === 'sane') this.keys = undefined
      else if (word === 'raw' || word === '-icanon' || word === 'cbreak') this.keys = noKeys
      else if (word === '-iexten') this.keys = { ...(this.keys ?? usualKeys), wordErase: new Set(), quote: new Set() }
      else if (word.includes(':')) this.restore(word.split(':'))
    }
  }

  private restore(saved: string[]): void {
    for (const [name, at] of Object.entries(savedAt)) {
      const code = Number.parseInt(saved[savedFlags + at] ?? '', 16)
      const isUsual = usualKeys[name as keyof TtyKeys].has(code)
      if (!Number.isNaN(code) && !isUsual) this.set(name as keyof TtyKeys, code)
    }
  }

  private set(name: keyof TtyKeys, code: number | undefined): void {
    const set = new Set(code === undefined ? [] : [code])
    this.keys = { ...(this.keys ?? { ...usualKeys, erase: new Set([0x7f]) }), [name]: set }
  }
}

/** A key in the notation of `stty`: `^H`, a character, a number; undefined for `undef`. */
function keyCode(word: string): number | undefined {
  if (word === '' || word === 'undef' || word === '^-') return undefined
  if (word === '^?') return 0x7f
  if (/^\^.$/u.test(word)) return word.charCodeAt(1) & 0x1f
  if (/^(?:0x[0-9a-f]+|\d{2,})$/iu.test(word)) return Number(word.startsWith('0') ? oneRadix(word) : word) & 0xff
  return word.codePointAt(0)
}

const oneRadix = (word: string) => (/^0x/iu.test(word) ? word : Number.parseInt(word, 8))
