import { shellForms } from '@castellan/contract/command-rules/shell-quoting'

/** Characters behind `!` that make it an ordinary one, and a text that is no reference in any shell. */
const ordinary = /^(?:[\s=(]|$)/u
/** `${!name}`, `$!`, `[!a-z]`. */
const bashOwn = /(?:\$\{|\$)$/u
const characterClass = /^![\w^-]+\]/u

const commandStart =
  '(?:^|[;&|(){}!`\\n]|\\$\\(|\\b(?:then|do|else|builtin|command|exec|eval|time|nohup|noglob)\\s)\\s*(?:\\w+=\\S*\\s+)*'
/** `fc`, `hist` (ksh) and `r` (ksh, zsh) run earlier lines, changed in an editor or not; with `-l` they list them. */
const runsEarlier = new RegExp(
  `${commandStart}(?:fc|hist|r)(?=$|[\\s;&|)\`}])(?!\\s+(?:-[nrd]+\\s+)*-(?:[nrdDfEi]*l[nrdDfEi]*|[ARWIpP]+)(?=\\s|$)(?!.*\\s-\\w*[se]))`,
  'u',
)
/** Another character for `!` and `^`. */
const otherCharacters = /\bhistchars=/iu

type Quote = '' | '"' | "'"

/** Whether a line refers to others in the history, if it starts within `quote`, and within which it ends. */
function scan(line: string, start: Quote): { refers: boolean; end: Quote } {
  let quote = start
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string
    if (quote === "'") {
      if (char === "'") quote = ''
    } else if (char === '\\') at += 1
    else if (char === '"') quote = quote === '"' ? '' : '"'
    else if (char === "'" && quote === '') quote = "'"
    else if (char === '!' && isReference(line, at, quote)) return { refers: true, end: quote }
  }
  return { refers: false, end: quote }
}

function isReference(line: string, at: number, quote: Quote): boolean {
  const rest = line.slice(at + 1)
  if (ordinary.test(rest) || (quote === '"' && rest.startsWith('"'))) return false
  const before = line.slice(Math.max(0, at - 2), at)
  if (before.endsWith('${')) return !rest.includes('}')
  if (bashOwn.test(before)) return /^[\w?!$*-]/u.test(rest)
  if (before.endsWith('[') && characterClass.test(line.slice(at, at + 64))) return false
  return !(at === 1 && line.startsWith('#!/'))
}

/**
 * Lines that a shell replaces by earlier ones, or runs earlier ones for: `!rm`, `!-2`, `^old^new`, `fc -s`, `r`. The
 * history reaches back to other sessions, so what runs is known only afterwards.
 */
export class RecalledLine {
  /** Within which quotes the shell may be reading: those of a line before. */
  private isQuoted = false

  /** Whether a line, or several of a paste, may run others. */
  mayRunOthers(text: string): boolean {
    if (otherCharacters.test(text)) return true
    if (shellForms(text.slice(0, 16 * 1024)).some((form) => runsEarlier.test(form))) return true
    return text.split(/\r?\n/u).some((line, at) => {
      if (line.startsWith('^')) return true
      return scan(line, '').refers || ((this.isQuoted || at > 0) && scan(line, '"').refers)
    })
  }

  /** A line was given to the shell. */
  given(text: string): void {
    const ends = this.isQuoted ? (['', '"'] as const) : ([''] as const)
    this.isQuoted = ends.some((start) => scan(text, start).end === '"')
  }

  /** The shell has given up what it was reading. */
  forget(): void {
    this.isQuoted = false
  }
}
