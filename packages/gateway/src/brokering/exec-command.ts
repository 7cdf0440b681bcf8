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

/** Whether a command runs one program and nothing behind or within it. */
export const isOneProgram = (command: string): boolean => oneProgram.test(command)

/** Whether a shell takes its commands from the input, so that each line of it is one; without a command it does. */
export const readsCommands = (command: string | undefined): boolean =>
  command === undefined || readingShell.test(command.replace(givenCommands, ' '))
