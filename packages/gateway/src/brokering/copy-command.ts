import { isOneProgram } from './exec-command.ts'

/** A command that is the remote end of a file copy, as copy programs run it on their target. */
export interface CopyCommand {
  program: 'scp' | 'rsync'
  /** From the user's point of view: an upload goes to the target. */
  kind: 'upload' | 'download'
  /** As in the command; the target's shell may still expand them. */
  paths: string[]
  /** scp was started for a folder (`-d`). */
  intoFolder: boolean
  /** The command runs nothing else, so that only the copy protocol passes. */
  isAlone: boolean
}

/** Splits a command line into words as a POSIX shell does, without expansions. */
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

/** Parses the copy in a command; undefined when it is not scp or rsync as the remote end. */
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
    // The first one is always `.`, which ends rsync's own options.
    return { program: 'rsync', kind, paths: rest.slice(1), intoFolder: false, isAlone }
  }
  return undefined
}
