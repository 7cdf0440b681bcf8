import { isOneProgram } from './exec-command.ts'

/** A command that is the far end of a file copy: what a copying program runs on its target by itself. */
export interface CopyCommand {
  program: 'scp' | 'rsync'
  /** As the person sees it: an upload goes to the target. */
  kind: 'upload' | 'download'
  /** As the command names them; the target's shell may still expand them. */
  paths: string[]
  /** scp was told that its path is a folder (`-d`). */
  intoFolder: boolean
  /** Nothing else runs with it, so that what passes is its protocol and nothing else. */
  isAlone: boolean
}

/** Words of a command line as a POSIX shell splits them; what it would expand stays as it is. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s\\'"])+/gs) ?? []
  return words.map((word) =>
    word.replace(/\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"/gs, (_, escaped, single, double) =>
      String(escaped ?? single ?? double.replace(/\\(["\\$`])/g, '$1')),
    ),
  )
}

const nameOf = (program = '') => program.slice(program.lastIndexOf('/') + 1)

/** Whether a command is the program behind the sftp subsystem, as `sftp -s` names it. */
export const isFileServer = (command: string): boolean => nameOf(wordsOf(command)[0]) === 'sftp-server'

/** What a command copies; undefined when it is neither scp nor rsync in its part as the far end. */
export function copyCommandOf(command: string): CopyCommand | undefined {
  const [program, ...args] = wordsOf(command)
  const isAlone = isOneProgram(command)
  const name = nameOf(program)
  const optionsEnd = args.findIndex((word) => !word.startsWith('-') || word === '--')
  const options = optionsEnd < 0 ? args : args.slice(0, optionsEnd)
  const rest = optionsEnd < 0 ? [] : args.slice(args[optionsEnd] === '--' ? optionsEnd + 1 : optionsEnd)
  if (name === 'scp') {
    const letters = options.join('').replaceAll('-', '')
    if (!/[tf]/.test(letters)) return undefined
    const kind = letters.includes('t') ? 'upload' : 'download'
    return { program: 'scp', kind, paths: rest, intoFolder: letters.includes('d'), isAlone }
  }
  if (name === 'rsync' && options.includes('--server')) {
    const kind = options.includes('--sender') ? 'download' : 'upload'
    // The first of them is always `.`, where rsync's own options end.
    return { program: 'rsync', kind, paths: rest.slice(1), intoFolder: false, isAlone }
  }
  return undefined
}
