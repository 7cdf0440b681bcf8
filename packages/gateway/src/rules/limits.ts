/** Every time limit of reading commands, in milliseconds. */
export const limits = {
  /** An escape sequence comes in one go: ESC alone for longer than this was the key. */
  escape: 30,
  /** Silence after which an answer is taken to be over. */
  calm: 25,
  /** The same where the keys alone tell the line, and the screen has yet to agree. */
  calmBeforeDiffering: 60,
  /** Enter waits at most this long for the screen, by what is waited for. */
  settle: { secret: 60, known: { least: 250, most: 1500 }, unknown: 2000 },
  /** How often a prompt is looked for that has not come back yet. */
  promptPoll: 50,
  /** The keys of a program that is about to end: until they show their effect. */
  foreign: { withLine: 2000, without: 100 },
  /** Until a prompt shows what became of keys that nobody has seen. */
  unseen: 300,
  /** Until the terminal echoes a Ctrl-E that no program reads. */
  probe: { least: 100, most: 500 },
  /** Until a line that was emptied is seen to be empty, and until one that was broken off is. */
  clear: 500,
  abort: 200,
  /** Until a key that may have ended the line shows whether it did. */
  perhapsEnter: 300,
  /** Until what is said to the person stands in the picture. */
  notice: 50,
  /** Between two lines that were typed at once. */
  pace: 100,
  afterRefusal: 200,
  /** What the target writes later than this after a key is no echo of it; and at least so many usual answers later. */
  echo: 1000,
  echoLatencies: 4,
  /** Until a terminal that takes CR for Enter has echoed it. */
  enterEcho: 250,
  /** A command's output is over after this silence, and is no longer collected after this time. */
  outputCalm: 800,
  output: 10_000,
  /** How long the echo of a line that has gone on may be late. */
  lateEcho: 10_000,
  /** What answers of a target that is busy may lie apart. */
  unevenness: 150,
  /** How much longer an answer that has not been seen is waited for. */
  overdue: 600,
  /** How long a shell that has answered an Enter may take to hand the terminal to its command. */
  handingOver: 200,
} as const
