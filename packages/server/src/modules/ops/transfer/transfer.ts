/** What a transfer moves; it is kept with its job, and with each execution as it was started. */
export interface Transfer {
  readonly direction: 'upload' | 'fetch'
  /** The folder on the hosts into which files go, or the file that is fetched from them. */
  readonly path: string
  /** Whether files that exist on the hosts are replaced. */
  readonly overwrite: boolean
  /** Uploads of the owner that are sent. */
  readonly files: readonly { readonly id: string; readonly name: string; readonly size: number }[]
  /** The address from which it was started, for the log of file transfers. */
  readonly remote_addr: string
}

/** What lists show of it. */
export const materialOf = ({ direction, path, files }: Transfer): string =>
  direction === 'fetch' ? `fetch:${path}` : `upload:${path || '~'} ← ${files.map(({ name }) => name).join(', ')}`
