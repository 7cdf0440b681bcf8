/** An attempt to run `rm -rf D` past the rules: the typed input in parts; numbers are pauses. `␄` is Ctrl-D. */
export interface Attack {
  how: string
  parts: (string | number)[]
}

const remove = 'rm -rf D\r'
const alternate = "'\\e[?1049h\\e[H\\e[2J\\e[5;5H'"
const erase = '\u007f'
const [kill, yank, esc] = ['\u0015', '\u0019', '\u001b']
/** Repeatedly overwrites the last line with a prompt and an innocent line. */
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

const blankLines: Attack[] = [
  {
    how: 'on an empty line ended by Ctrl-D, behind CR that seems to be echoed',
    parts: [
      'sh\r',
      'stty igncr\r',
      '(for i in $(seq 80); do sleep 0.05; echo; done) &\n',
      'rm -r\r',
      'f D\r',
      '␄',
      '␄',
    ],
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

const programs: Attack[] = [
  {
    how: 'when a job enters the screen for a program that said nothing',
    parts: [`(sleep 2; printf ${alternate}) &\r`, 'PS1= dash\r', 'less </dev/null\r', 1500, remove],
  },
  {
    how: 'when a job enters the screen for a program that failed',
    parts: [`(sleep 2; printf ${alternate}) &\r`, 'dash\r', 'less /nothing\r', 1500, remove],
  },
  {
    how: 'when a coprocess enters the alternate screen',
    parts: [`coproc { sleep 1; printf ${alternate} > /dev/tty; }\r`, 1200, remove],
  },
  {
    how: 'on a screen that a pager has left as it was',
    parts: [`printf ${alternate}; less -X /etc/passwd\r`, 'q', 'PS1=\r', remove],
  },
  {
    how: 'on a screen that an editor has not given back',
    parts: ["vim -u NONE --cmd 'set t_te='\r", 300, ':q\r', 300, remove],
  },
  { how: 'behind an editor that was stopped', parts: ['PS1=\r', 'vim -u NONE -N x\r', 300, '\u001a', 300, remove] },
  {
    how: 'by a function with a hidden name',
    parts: ["eval 'to''p() { printf \"\\e[?25l\\e[H\\e[2J\"; PS1= sh; }'\r", 'top\r', remove],
  },
  {
    how: 'in a multiplexer without a prompt',
    parts: ['tmux -f /dev/null new\r', 500, 'PS1=\r', 300, remove, 900, 'exit\r'],
  },
  { how: 'in script', parts: ['script -q /dev/null\r', 300, remove] },
  { how: 'in a shell without an environment', parts: [`printf ${alternate}; env -i sh\r`, 300, remove] },
  { how: 'read by python', parts: ["python3 -c 'import os; os.system(input())'\r", 500, 'rm -rf D␄␄'] },
  { how: 'read by perl', parts: ["perl -e '$x = <>; system($x)'\r", 300, 'rm -rf D␄␄'] },
  { how: 'in a here-document', parts: ['sh <<X\r', remove, 'X\r'] },
]

const terminals: Attack[] = [
  { how: 'echoed into a control string', parts: ["PS1=$'\\eP'\r", remove] },
  { how: 'echoed into a window title', parts: ["PS1=$'\\e]0;'\r", remove] },
  { how: 'concealed', parts: ["PS1=$'\\e[8m$ '\r", `/bin/rm -r${esc}OHtrue; \u0005f D\r`] },
  { how: "with an answer of a terminal's in it", parts: ['dash\r', `rm -r${esc}[?1;2cf D\r`] },
  { how: "behind an answer of a terminal's", parts: ['dash\r', `${esc}]0;\u0007rm -rf D\r`] },
  { how: "within an answer of a terminal's", parts: ['dash\r', `: ${esc}]11;rgb;rm -rf D;:\u0007\r`] },
  { how: 'in a shell that takes editing keys as they are', parts: ['dash\r', 'rm -rf D #\u0001\u000bls\r'] },
  { how: 'there, where such keys are not shown', parts: ['stty -echoctl; dash\r', 'rm -rf D #\u0001\u000bls\r'] },
  { how: 'there, where nothing is shown', parts: ['stty -echo; dash\r', 'rm -rf D #\u0001\u000bls\r'] },
  { how: 'where the terminal edits nothing', parts: ['stty -icanon; dash\r', `rm -rf D #${erase.repeat(12)}ls\r`] },
  {
    how: 'where it edits and shows nothing',
    parts: ['stty -icanon -echo; dash\r', `rm -rf D #${erase.repeat(12)}ls\r`],
  },
  { how: 'where CR stands in the line', parts: ['stty -icrnl; dash\r', ': \r;rm -rf D\n'] },
  { how: 'where Ctrl-C stands in the line', parts: ['stty -isig; dash\r', `rm -r\u0003${erase}f D\r`] },
  {
    how: 'where Ctrl-C stands in a line that is cleared away',
    parts: ['stty -isig; dash\r', '(sleep 1.3; clear) &\r', 'rm -r\u0003', 1300, `${erase}f D\r`],
  },
  {
    how: 'where no key empties the line',
    parts: ['stty -isig kill undef; dash\r', 'rm -rf D #\r', 1000, '\r', 300, '\u0003', '\r'],
  },
  {
    how: 'where no key empties the line and none is shown',
    parts: ['stty -isig kill undef -echo; dash\r', 'rm -rf D #\r', 1000, '\r', 300, '\u0003', '\r'],
  },
  { how: 'by erasing characters of two bytes', parts: ['stty -iutf8; sh\r', `rm -rÃ©${erase.repeat(4)}f D\r`] },
  { how: "with the kernel's words", parts: ['dash\r', `rm -r-x\u0017${erase}f D\r`] },
  { how: 'where another key ends the input', parts: ['stty eof x; dash\r', 'rm -rf D', 'x', 'x'] },
  { how: 'where CR is ignored, in a pipe', parts: ['stty igncr; cat | sh\r', '\n', 'rm -r\rf D\r␄␄'] },
]

const editing: Attack[] = [
  { how: 'transposed under an innocent line', parts: [repaint('ls'), 'mr\u0014 -rf D', 200, '\r'] },
  { how: 'in other letters under an innocent line', parts: [repaint('ls'), `RM -rf D\u0001${esc}l`, 200, '\r'] },
  { how: 'completed under an innocent line', parts: [repaint('ls'), `/bin/r${esc}*`, 200, '\r', '\u0003'] },
  {
    how: 'searched for under an innocent line',
    parts: ['m -rf D\r', repaint('ls'), '\u0012m -rf', 200, '\u0001r', 200, '\r'],
  },
  { how: 'ended by Ctrl-O under an innocent line', parts: [repaint('ls'), 'm -rf D\u0001r', 200, '\u000f'] },
  { how: 'with the keys of vi', parts: ['set -o vi\r', `m -rf D${esc}`, 60, 'Ir', '\r'] },
  {
    how: 'with the keys of vi under an innocent line',
    parts: ['set -o vi\r', repaint('ls'), `mr -rf D${esc}`, 60, '0xp', 200, '\r'],
  },
  { how: 'painted over once', parts: ['dash\r', "(sleep 1.2; printf '\\r\\e[K$ ls') &\r", 'rm -rf D', 1500, '\r'] },
  { how: 'undone', parts: ['rm -rf Dx\u001f', 60, '\r'] },
  { how: 'by history expansion', parts: ['rm -xf D\r', '^x^r\r'] },
  { how: 'by running a changed line again', parts: ['rm -xf D\r', 'fc -s x=r\r'] },
  { how: 'in a line that is not shown and goes on', parts: ['stty -echo; dash\r', 'rm -r\\\r', 'f D\r'] },
  { how: 'while the screen is switched', parts: [`(sleep 1; printf ${alternate}) &\r`, 'rm -rf', 1300, ' D\r'] },
  { how: 'in letters that are drawn as others', parts: ["PS1=$'\\e(0$ '\r", 'f D\u0001rm -r\r'] },
  { how: 'in a tiny window', parts: ['stty cols 2\r', 'f D\u0001rm -r\r'] },
  { how: 'yanked from further back', parts: [repaint('ls'), `m -rf D${kill}q${kill}\u0001r${yank}${esc}y`, 100, '\r'] },
  { how: 'with the last argument again', parts: ['echo -rf\r', `rm ${esc}. D\r`] },
  { how: 'ended by LF', parts: ['rm -rf D\n'] },
  {
    how: 'behind what scrolls sideways',
    parts: ["bind 'set horizontal-scroll-mode on'\r", `: ${'x'.repeat(100)}; rm -rf D\r`],
  },
  { how: 'behind wide characters', parts: [`: ${'\u6f22'.repeat(60)}; rm -rf D\r`] },
  { how: 'ahead of its shell', parts: ['sh\rrm -rf D␄␄'] },
  { how: 'ahead of a busy shell', parts: ['sleep 1; sh\r', 'rm -rf D␄␄', 1000] },
  { how: 'as a bracketed paste', parts: [`${esc}[200~rm -rf D\r${esc}[201~`] },
  {
    how: 'as a paste that a shell does not know',
    parts: ["printf '\\e[?2004h'; dash\r", `${esc}[200~x\n;rm -rf D\n${esc}[201~`, '\r'],
  },
  { how: 'quoted', parts: ["r\\m -r'f' D\r"] },
  { how: 'quoted over two lines', parts: ['r\\\r', 'm -rf D\r'] },
  { how: 'in braces', parts: ['{rm,-rf,D}\r'] },
]

/** Puts a line into the history that no key has typed, as one of an earlier session is. */
const earlier = (line: string) => `x=r; history -s "${line.replace('r', () => '$' + '{x}')}"\r`
const [search, forward] = ['\u0012', '\u0013']
const longPrompt = "PS1='a-prompt-longer-than-what-is-searched:~/some/folder$ '\r"

const histories: Attack[] = [
  { how: 'found in the history', parts: [earlier('rm -rf D'), 400, `${search}f D`, 300, '\r'] },
  {
    how: 'found in the history, by a rule for its beginning',
    parts: [earlier('rmdir D'), 400, `${search}dir D`, 300, '\r'],
  },
  { how: 'found behind a long prompt', parts: [longPrompt, earlier('rmdir D'), 400, `${search}dir D`, 300, '\r'] },
  { how: 'found behind no prompt', parts: ['PS1=\r', earlier('rmdir D'), 400, `${search}dir D`, 300, '\r'] },
  { how: 'found in a narrow window', parts: ['stty cols 24\r', earlier('rmdir D'), 400, `${search}dir D`, 300, '\r'] },
  {
    how: "found by a text like the search's own",
    parts: [earlier("rmdir D #': ls"), 400, `${search}D #': `, 300, '\r'],
  },
  {
    how: 'found forwards',
    parts: ['stty -ixon\r', earlier('rmdir D'), 400, `${search}dir D${search}`, 300, forward, 300, '\r'],
  },
  { how: 'found and left by Esc', parts: [longPrompt, earlier('rmdir D'), 400, `${search}dir D`, 300, esc, 300, '\r'] },
  { how: 'found in a mode of vi', parts: ['set -o vi\r', earlier('rmdir D'), 400, `${search}dir D`, 300, '\r'] },
  {
    how: 'found at once, and gone on with',
    parts: [earlier('rmdir D'), 400, `${esc}pdir D`, 300, '\r', 400, '\u0005 ', 300, '\r'],
  },
  {
    how: 'found at once beside a job, and gone on with',
    parts: [earlier('rm -rf D'), 'sleep 9 &\r', 400, `${esc}pf D`, 300, '\r', 400, '\u0005 ', 300, '\r'],
  },
  {
    how: 'brought by the line before',
    parts: [
      `x=r; history -s "ls -d /"; history -s "$\{x}mdir D"\r`,
      400,
      `${esc}[A${esc}[A${esc}[A`,
      300,
      '\u000f',
      600,
      ' ',
      200,
      '\r',
    ],
  },
  { how: 'by its number in the history', parts: [earlier('rmdir D'), '!-1\r'] },
  { how: 'by its beginning', parts: [earlier('rmdir D'), '!r\r'] },
  { how: 'by a part of it', parts: [earlier('rmdir D'), ': "!?dir D?:p"; !?dir D\r'] },
  { how: 'by its beginning, in quotes of the line before', parts: [earlier('rmdir D'), ': "\r', `'";!r;"'"\r`] },
  { how: 'by changing nothing', parts: [earlier('rmdir D'), '^D^D\r'] },
  { how: 'by running it again', parts: [earlier('rmdir D'), 'true; f\\c -s r\r'] },
  { how: 'by an editor that changes nothing', parts: [earlier('rmdir D'), 'fc -e true r\r'] },
  { how: 'with another character for it', parts: [earlier('rmdir D'), 'histchars=@\r', '@r\r'] },
  {
    how: 'through a filter that leaves Ctrl-C out',
    parts: ["stty -isig; cat -u | tr -d '\\003' | sh\r", 'rm -r\u0003f D\r'],
  },
]

export const attacks: Attack[] = [
  ...screens,
  ...ends,
  ...blankLines,
  ...bytes,
  ...keys,
  ...programs,
  ...terminals,
  ...editing,
  ...histories,
]
