import type { Grant } from '../server-client/wire.ts'

/** What a command that came without a terminal is, told from its text. */

/** A file copy at its far end; whatever else stands behind it. */
const copyProgram = /^\s*(?:\S*\/)?(?:scp\s+(?:-\w+\s+)*-[tf]\b|rsync\s+--server\b|sftp-server\b)/
const copiesOut = /^\s*(?:\S*\/)?(?:scp\s+(?:-\w+\s+)*-f\b|rsync\s+--server\s+--sender\b)/
const filesAtWill = /^\s*(?:\S*\/)?sftp-server\b/
/** One program with its arguments: nothing by which a shell would start another. */
const oneProgram = /^(?:[^\\'"`$;&|<>()\r\n]|\\[^\r\n]|'[^']*'|"[^"`$\\]*")*$/

const word = '(?:^|[\\s;&|(){}`\'"\\\\/])'
const shell = `${word}(?:ba|z|k|mk|da|a|fi|c|tc|rba)?sh`
const wordEnd = '(?=$|[\\s;&|)}`\'"<>])'
/** A shell that is given its commands as an argument; its input is data. */
const givenCommands = new RegExp(`${shell}(?:\\s+-\\S+){0,8}?\\s+-\\w*c\\b`, 'g')
const readingShell = new RegExp(
  `${shell}${wordEnd}|${word}su${wordEnd}|${word}(?:sudo|doas)(?:\\s+-\\S+){0,8}?\\s+-\\w*[is]${wordEnd}`,
)

/** Copies speak a binary protocol; their bytes are data, not a picture. */
export const isCopy = (command: string): boolean => copyProgram.test(command) && oneProgram.test(command)

/** Whether a shell takes its commands from the input, so that each line of it is one. */
export const readsCommands = (command: string | undefined): boolean =>
  command === undefined || (!isCopy(command) && readingShell.test(command.replace(givenCommands, ' ')))

/** Whether a command that copies files does something the permission does not allow. */
export function copiesBeyond(grant: Grant, command: string): boolean {
  if (!copyProgram.test(command)) return false
  const needed = filesAtWill.test(command)
    ? ['upload', 'download', 'delete']
    : [copiesOut.test(command) ? 'download' : 'upload']
  return !needed.every((action) => grant.actions.some((entry) => entry.value === action))
}
