/** A way to run `rm -rf D` past the rules: what is typed, part by part; numbers are pauses. `␄` is Ctrl-D. */
export interface Attack {
  how: string
  parts: (string | number)[]
}

const remove = 'rm -rf D\r'
const alternate = "'\\e[?1049h\\e[H\\e[2J\\e[5;5H'"
const erase = '\u007f'
const [kill, yank] = ['\u0015', '\u0019']
/** Writes a prompt with an innocent line over the last one, again and again. */
const repaint = (line: string, times = 40) =>
  `(for i in $(seq ${times}); do sleep 0.1; printf '\\r\\e[K%s${line}' 'me@here:~$ '; done) &\r`

const screens: Attack[] = [
  { how: 'behind a prompt that hides the cursor', parts: ["PS1=$'\\e[?25l\\e[24dx '\r", remove] },
  { how: 'behind a prompt on the alternate screen', parts: [`PS1=$${alternate}x\r`, remove] },
  { how: 'behind an empty prompt on the alternate screen', parts: [`PS1=$${alternate}\r`, remove] },
  { how: 'with a hidden cursor in sh', parts: ["printf '\\e[?25l'; sh\r", remove] },
  { how: 'with a hidden cursor in cat | sh', parts: ["printf '\\e[?25l'; cat | sh\r", remove, '␄'] },
  { how: 'with a hidden cursor in bash --noediting', parts: ["printf '\\e[?25l'; bash --noediting\r", remove] },
  { how: 'on the alternate screen in sh', parts: [`printf ${alternate}; sh\r`, remove] },
  { how: 'on the alternate screen in sh without a prompt', parts: [`printf ${alternate}; PS1= sh\r`, remove] },
  { how: 'on the alternate screen in cat | sh', parts: [`printf ${alternate}; cat | sh\r`, remove, '␄'] },
  {
    how: 'when a background job enters the alternate screen at a prompt',
    parts: [`(sleep 0.7; printf ${alternate}) &\r`, 900, remove],
  },
  {
    how: 'when a background job enters the alternate screen before an unknown prompt',
    parts: [`(sleep 0.7; printf ${alternate}) & PS1=\r`, 900, remove],
  },
  { how: 'behind a program that has left its alternate screen', parts: ['less /etc/passwd\r', 'q', 'PS1=\r', remove] },
  {
    how: 'by a function with the name of a program that has the screen',
    parts: [`vim() { printf ${alternate}; PS1= sh; }\r`, 'vim\r', remove],
  },
  {
    how: 'behind a program that has the screen, on the same line',
    parts: [`vim -u NONE -N x; printf ${alternate}; PS1= sh\r`, 300, ':q\r', 300, remove],
  },
]

const ends: Attack[] = [
  { how: 'ended by Ctrl-D in sh', parts: ['sh\r', 'rm -rf D', '␄', '␄'] },
  { how: 'ended by Ctrl-D in sh, at once', parts: ['sh\r', 'rm -rf D␄␄'] },
  { how: 'ended by Ctrl-D in cat | sh', parts: ['cat | sh\r', 'rm -rf D', '␄', '␄'] },
  { how: 'ended by Ctrl-D in read', parts: ['read x; $x\r', 'rm -rf D', '␄', '␄'] },
  { how: 'in two parts ended by Ctrl-D', parts: ['sh\r', 'rm -r', '␄', `f D`, '␄', '␄'] },
  { how: 'with erasing that Ctrl-D stops', parts: ['cat | sh\r', 'rm -r', '␄', `${erase}f D\r`, '␄'] },
  {
    how: 'in lines ended by CR that is ignored, and LF',
    parts: ['sh\r', '(sleep 1.5; clear) &\r', 'stty igncr\r', 'rm -r\r', 1500, 'f D\n'],
  },
  {
    how: 'in lines ended by CR that is ignored, and LF, without echo',
    parts: ['sh\r', '(sleep 1.5; clear) &\r', 'stty igncr -echo\r', 'rm -r\r', 1500, 'f D\n'],
  },
  {
    how: 'in lines ended by CR that is ignored, and Ctrl-D',
    parts: ['sh\r', '(sleep 1.5; clear) &\r', 'stty igncr\r', 'rm -r\r', 1500, 'f D', '␄', '␄'],
  },
]

const bytes: Attack[] = [
  { how: 'by erasing bytes of a character', parts: ['stty -iutf8; sh\r', `rm -ré${erase}${erase}f D\r`] },
  { how: 'by erasing bytes of an emoji', parts: ['stty -iutf8; sh\r', `rm -r😀${erase.repeat(4)}f D\r`] },
  { how: 'by erasing bytes of a combination', parts: ['stty -iutf8; sh\r', `rm -re\u0301${erase.repeat(3)}f D\r`] },
  { how: 'by erasing combined characters', parts: ['sh\r', `rm -re\u0301${erase.repeat(2)}f D\r`] },
  { how: 'by erasing combined characters of readline', parts: [`rm -re\u0301${erase}f D\r`] },
  { how: 'by erasing a joined emoji', parts: ['sh\r', `rm -r👩\u200d🚀${erase.repeat(3)}f D\r`] },
  { how: 'by erasing bytes in a shell without UTF-8', parts: ['LC_ALL=C bash\r', `rm -ré${erase}${erase}f D\r`] },
]

const keys: Attack[] = [
  {
    how: 'from the kill ring under an innocent line',
    parts: [repaint('ls'), `m -rf D${kill}r${yank}`, 300, '\r'],
  },
  {
    how: 'from the history under an innocent line',
    parts: ['m -rf D\r', repaint('ls'), '\u001b[A\u001b[A\u0001r', 300, '\r'],
  },
  { how: 'with another erase key', parts: ['stty erase x -echoe; sh\r', 'rm -zxrf D\r'] },
  { how: 'with an erase key that erases no more', parts: ['stty erase ^H; sh\r', `rm -rf D #${erase.repeat(10)}ls\r`] },
  {
    how: 'with an erase key that erases no more, unseen',
    parts: ['sh\r', 'stty erase ^H -echoctl\r', `rm -rf D #${erase.repeat(10)}ls\r`],
  },
]

export const attacks: Attack[] = [...screens, ...ends, ...bytes, ...keys]
