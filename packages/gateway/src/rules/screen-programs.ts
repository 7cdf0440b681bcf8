import { shellForms } from '@castellan/contract/command-rules/shell-quoting'

/** Full-screen programs without a command line for other programs' commands. */
const programs = new Set(
  `vim vi view nvim vimdiff nano pico emacs emacsclient joe jed ne micro hx helix kak less more most man info pager
  top htop btop atop iotop iftop nload nmon glances watch tig lazygit git journalctl systemctl loginctl timedatectl
  crontab visudo vipw vigr sudoedit nmtui dialog whiptail mutt neomutt lynx links elinks w3m ncdu cfdisk alsamixer
  aptitude menuconfig k9s ctop dive lazydocker gdb cgdb slabtop powertop bmon mtr tcpdump-tui`.split(/\s+/u),
)
/** Those that draw on the ordinary screen, with a hidden cursor. */
const onOrdinaryScreen = new Set(['top', 'slabtop', 'watch', 'iotop', 'atop'])
/** Commands that may accompany such a program on its line. */
const harmless = new Set('cd pushd popd export umask sleep mkdir touch true wait clear set'.split(' '))
/** Commands that run their arguments. */
const wrappers = new Set('sudo doas env time nohup command exec nice ionice setsid builtin'.split(' '))
const elsewhere = new Set('docker podman kubectl oc ssh nsenter chroot'.split(' '))

const longestCommand = 4096
const start = '(?:^|[\\s;&|(){}!:"\'/])'
const end = '(?=$|[\\s;&|(){}"\'])'
/** With these on the line, another program may read the input, or the screen may outlast it. */
const doubtful = new RegExp(
  `${start}(?:(?:ba|da|z|k|mk|a|fi|c|tc|rba)?sh|su|eval|source|script|expect|busybox|python[\\d.]*|perl|ruby|read)${end}` +
    '|!|/dev/(?:tty|pts)|\\bt_t[ei]\\b|\\bTERM(?:INFO)?=|\\bLESS\\w*=|\\s-\\w*X|--no-init|[`<]\\(|\\$\\(|(?<![&|<>\\d])&(?![&>\\d])',
  'u',
)
const assignment = /^\w+=\S*$/u
const definition = /(?:^|[\s;&|(){}])(?:function\s+([\w.-]+)|([\w.-]+)\s*\(\s*\)|alias\s+(?:-\S+\s+)*([\w.-]+)=)/gu

/** Names that a command redefines: functions and aliases. */
export const definedNames = (command: string): string[] =>
  shellForms(command.slice(0, longestCommand)).flatMap((form) =>
    [...form.matchAll(definition)].map(([, one, two, three]) => one ?? two ?? three ?? ''),
  )

/** A command that may define names that are not in its text. */
export const definesUnknown = (command: string): boolean =>
  shellForms(command.slice(0, longestCommand)).some((form) => /\b(?:eval|alias|function)\b.*[$`]/su.test(form))

export interface ScreenProgram {
  /** It draws on the ordinary screen and hides the cursor there. */
  onOrdinaryScreen: boolean
}

/**
 * The known full-screen program that a command runs, if nothing else on the line may write or read there.
 * @param redefined names that no longer refer to the program
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
