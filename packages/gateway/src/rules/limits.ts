/** All time limits of reading commands, in milliseconds. */
export const limits = {
  /** An escape sequence arrives in one chunk: a lone ESC for longer than this was the key. */
  escape: 30,
  /** Silence after which a response counts as complete. */
  calm: 25,
  /** The same when the keys determine the line, and the screen has yet to confirm it. */
  calmBeforeDiffering: 60,
  /** Maximum time that Enter waits for the screen, by the reason. */
  settle: { secret: 60, known: { least: 250, most: 1500 }, unknown: 2000 },
  /** Interval of checks for a prompt that has not returned yet. */
  promptPoll: 50,
  /** For keys to a program that is about to exit: until they take effect. */
  foreign: { withLine: 2000, without: 100 },
  /** Until a prompt shows the effect of unechoed keys. */
  unseen: 300,
  /** Until the terminal echoes a Ctrl-E that no program reads. */
  probe: { least: 100, most: 500 },
  /** Until the screen shows that a line was cleared, or aborted. */
  clear: 500,
  abort: 200,
  /** Until a key that may have ended the line shows whether it did. */
  perhapsEnter: 300,
  /** Until a notice to the user is on the screen. */
  notice: 50,
  /** Between two lines that were typed at once. */
  pace: 100,
  afterRefusal: 200,
  /** Output later than this after a key, and later than this many usual response times, is not its echo. */
  echo: 1000,
  echoLatencies: 4,
  /** Until a terminal that takes CR for Enter has echoed it. */
  enterEcho: 250,
  /** A command's output has ended after this silence, and is no longer collected after this time. */
  outputCalm: 800,
  output: 10_000,
  /** Maximum delay of the echo of a line that was already sent. */
  lateEcho: 10_000,
  /** Maximum gap between responses of a busy target. */
  unevenness: 150,
  /** Additional time for a response that was not seen. */
  overdue: 600,
  /** Time for a shell that has responded to an Enter to pass the terminal to its command. */
  handingOver: 200,
} as const
