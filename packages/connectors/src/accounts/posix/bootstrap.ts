import type { Become } from '../account-system.ts'

/** Quotes a fixed text as one word of `sh`, `csh` and `fish`. It must have neither `!` nor a line end, for `csh`. */
const word = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A script as one line, which `printf %b` of every shell turns into the script again. */
export const encodedScript = (script: string): string => script.trim().replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

export interface Bootstrap {
  command: string
  /** What the command reads first. */
  input: string
  /** Some `su` ask on a terminal only. */
  needsTerminal: boolean
}

/**
 * A command that becomes another account where it is to, says `<nonce>:ready`, and then runs the script that it reads as
 * one line. Of what users can choose, nothing is in the command itself: other processes see it, and each login shell
 * would read it by its own rules. Builtins read byte by byte, so what follows the script is left to it.
 * @param isPlain never on a terminal, which changes bytes and joins the streams: `su` that demands one refuses then
 */
export function bootstrapFor(nonce: string, become: Become | undefined, isPlain = false): Bootstrap {
  const run = `printf "${nonce}:ready\\n"; IFS= read -r s; n=${nonce}; eval "$(printf %b "$s")"`
  const shell = (script: string) => `/bin/sh -c ${word(script)}`
  if (!become) return { command: shell(run), input: '', needsTerminal: false }
  const begin = 'IFS= read -r u; LC_ALL=C; export LC_ALL'
  const input = `${become.username}\n`
  if (become.method === 'sudo') {
    const sudo = `sudo -S -H -p "${nonce}:password:" -u "$u" --`
    return { command: shell(`${begin}; exec ${sudo} ${shell(run)}`), input, needsTerminal: false }
  }
  if (isPlain) return { command: shell(`${begin}; exec su "$u" -c ${word(shell(run))}`), input, needsTerminal: false }
  // Raw: a terminal would cut long lines, and act on control characters.
  const onTerminal = shell(`stty raw -echo || exit; ${run}`)
  return { command: shell(`${begin}; exec su "$u" -c ${word(onTerminal)}`), input, needsTerminal: true }
}
