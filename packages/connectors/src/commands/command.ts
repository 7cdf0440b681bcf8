/** What a user wants to be run. Nothing else becomes part of a command line. */
export interface Command {
  readonly module: 'shell' | 'python' | 'raw'
  readonly text: string
  /** The folder in which it runs; that of the login when it is empty. */
  readonly chdir: string
}

export type OutputStream = 'out' | 'err'

/** Takes output as it arrives. A promise makes the target wait. */
export type OutputSink = (chunk: Buffer, stream: OutputStream) => Promise<void> | undefined

export interface CommandEnd {
  /** The exit status; undefined when a signal ended the command, or the connection was lost. */
  readonly status: number | undefined
  /** The signal that ended it. */
  readonly signal?: string | undefined
}
