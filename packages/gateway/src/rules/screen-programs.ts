import { shellForms } from './shell-quoting.ts'

/** Programs that have the whole screen, and no command line for another program's commands in view. */
const programs = new Set(
  `vim vi view nvim vimdiff nano pico emacs emacsclient joe jed ne micro hx helix kak less more most man info pager
  top htop btop atop iotop iftop nload nmon glances watch tig lazygit git journalctl systemctl loginctl timedatectl
  crontab visudo vipw vigr sudoedit nmtui dialog whiptail mutt neomutt lynx links elinks w3m ncdu cfdisk alsamixer
  aptitude menuconfig k9s ctop dive lazydocker gdb cgdb slabtop powertop bmon mtr tcpdump-tui`.split(/\s+/u),
)
/** Of these the ones that draw on the ordinary screen, with a hidden cursor. */
const onOrdinaryScreen = new Set(['top', 'slabtop', 'watch', 'iotop', 'atop'])
/** May stand beside such a program on its line. */
const harmless = new Set('cd pushd popd export umask sleep mkdir touch true wait clear set'.split(' '))
/** Run what stands behind them. */
const wrappers = new Set('sudo doas env time nohup command exec nice ionice setsid builtin'.split(' '))
const elsewhere = new Set('docker podman kubectl oc ssh nsenter chroot'.split(' '))

const longestCommand = 4096
const start = '(?:^|[\\s;&|(){}!:"\'/])'
const end = '(?=$|[\\s;&|(){}"\'])'
/** With these on the line, something else than the program may read what is typed, or the screen outlast it. */
const doubtful = new RegExp(
  `${start}(?:(?:ba|da|z|k|mk|a|fi|c|tc|rba)?sh|su|eval|source|script|expect|busybox|python[\\d.]*|perl|ruby|read)${end}` +
    '|!|/dev/(?:tty|pts)|\\bt_t[ei]\\b|\\bTERM(?:INFO)?=|\\bLESS\\w*=|\\s-\\w*X|--no-init|[`<]\\(|\\$\\(|(?<![&|<>\\d])&(?![&>\\d])',
  'u',
)
const assignment = /^\w+=\S*$/u
const definition = /(?:^|[\s;&|(){}])(?:function\s+([\w.-]+)|([\w.-]+)\s*\(\s*\)|alias\s+(?:-\S+\s+)*([\w.-]+)=)/gu

/** Names that a command gives a meaning of its own: functions and aliases. */
export const definedNames = (command: string): string[] =>
  shellForms(command.slice(0, longestCommand)).flatMap((form) =>
    [...form.matchAll(definition)].map(([, one, two, three]) => one ?? two ?? three ?? ''),
  )

/** A command that may define names which do not stand in it. */
export const definesUnknown = (command: string): boolean =>
  shellForms(command.slice(0, longestCommand)).some((form) => /\b(?:eval|alias|function)\b.*[$`]/su.test(form))

export interface ScreenProgram {
  /** It draws on the ordinary screen and hides the cursor there. */
  onOrdinaryScreen: boolean
}

/**
 * Whether a command runs a program that is known to have the screen, and nothing beside it that may write or read there.
 * @param redefined names that no longer mean the program
 */
export function screenProgramOf(command: string, redefined: ReadonlySet<string>): ScreenProgram | undefined {
  const plain = shellForms(command).at(-1) ?? command
  if (plain.length > longestCommand || doubtful.test(plain) || doubtful.test(command)) return undefined
  let found: string | undefined
  for (const part of plain.split(/;|&&|\|\||\n|[(){}]/u)) {
    const stages = part.split('|')
    const name = programOf(stages.at(-1) ?? '')
    if (name === '') continue
    if (programs.has(name) && !redefined.has(name)) found = name
    else if (stages.length > 1 || !harmless.has(name) || redefined.has(name)) return undefined
  }
  return found === undefined ? undefined : { onOrdinaryScreen: onOrdinaryScreen.has(found) }
}

function programOf(stage: string): string {
  const words = stage.trim().split(/\s+/u)
  while (words.length > 1 && (assignment.test(words[0] as string) || isWrapper(words))) words.shift()
  const name = basename(words[0] ?? '')
  return elsewhere.has(name) ? (words.map(basename).find((word) => programs.has(word)) ?? name) : name
}

/** A wrapper, or an option before the program it runs. */
const isWrapper = ([first = '']: string[]) => wrappers.has(basename(first)) || first.startsWith('-')

const basename = (word: string) => word.slice(word.lastIndexOf('/') + 1)
