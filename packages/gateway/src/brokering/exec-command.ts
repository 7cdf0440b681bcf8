/** A single program with its arguments: no syntax by which a shell would start another. */
const oneProgram = /^(?:[^\\'"`$;&|<>()\r\n]|\\[^\r\n]|'[^']*'|"[^"`$\\]*")*$/

const word = '(?:^|[\\s;&|(){}`\'"\\\\/])'
const shell = `${word}(?:ba|z|k|mk|da|a|fi|c|tc|rba)?sh`
const wordEnd = '(?=$|[\\s;&|)}`\'"<>])'
/** A shell with its commands as an argument; its input is data. */
const givenCommands = new RegExp(`${shell}(?:\\s+-\\S+){0,8}?\\s+-\\w*c\\b`, 'g')
const readingShell = new RegExp(
  `${shell}${wordEnd}|${word}su${wordEnd}|${word}(?:sudo|doas)(?:\\s+-\\S+){0,8}?\\s+-\\w*[is]${wordEnd}`,
)

/** Whether a command runs one program and no other before, after or inside it. */
export const isOneProgram = (command: string): boolean => oneProgram.test(command)

/** Whether a shell reads commands from its input, so that each line is one; it does without a command. */
export const readsCommands = (command: string | undefined): boolean =>
  command === undefined || readingShell.test(command.replace(givenCommands, ' '))
