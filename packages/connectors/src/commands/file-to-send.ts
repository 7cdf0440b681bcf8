/** A file of this machine that is sent. */
export interface FileToSend {
  /** Its name on the target: one part of a path. */
  readonly name: string
  readonly path: string
  readonly size: number
}
