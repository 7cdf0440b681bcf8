/** How the repository of a playbook is signed in to; it counts for one host only. */
export interface StoredAccess {
  /** `RepositoryAddress.origin` for which it was entered. */
  readonly origin: string
  readonly method: 'none' | 'password' | 'ssh_key'
  readonly username: string
  /** The SSH host key that has to be shown: type and key. Absent until the first one was. */
  readonly hostKey?: string
}
