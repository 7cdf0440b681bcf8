import { randomUUID } from 'node:crypto'
import type { FileSession as FileSessionWire, FileUploadRequest } from '@castellan/contract/web-terminal'
import type { Broker } from '../../brokering/broker.ts'
import { type FileAction, FileSession, startDirectory } from '../../brokering/file-session.ts'
import { redeemToken } from '../../brokering/grants.ts'
import { refusalOf } from '../../brokering/session-denied.ts'
import type { User } from '../../brokering/user.ts'
import { denied, FileFailure } from './file-error.ts'
import { RemoteFiles } from './remote-files.ts'
import { Upload } from './upload.ts'

export const maxChunk = 32 * 1024 * 1024
const orphanLimit = 60_000
const uploadLimit = 64

/** One file session of a browser: the target's files and the uploads in progress. */
export class OpenFiles {
  readonly files: FileSession
  readonly remote: RemoteFiles
  readonly uploads = new Map<string, Upload>()
  private readonly home: string
  private sockets = 0
  private orphan: NodeJS.Timeout | undefined

  constructor(files: FileSession, remote: RemoteFiles, home: string) {
    this.files = files
    this.remote = remote
    this.home = home
  }

  /** Throws when an action is denied now. */
  require(action?: FileAction): void {
    const denial = this.files.denial(action)
    if (denial) throw denied(denial)
  }

  async beginUpload(request: FileUploadRequest): Promise<Upload> {
    for (const [id, upload] of this.uploads) if (upload.state.done) this.uploads.delete(id)
    if (this.uploads.size >= uploadLimit) throw new FileFailure('bad_request')
    const upload = await Upload.begin(randomUUID(), this.files, this.remote, request)
    this.uploads.set(upload.id, upload)
    return upload
  }

  upload(id: string): Upload {
    const upload = this.uploads.get(id)
    if (!upload) throw new FileFailure('not_found')
    return upload
  }

  /** Attaches a control socket; the session ends a minute after the last one closed. */
  attach(): () => void {
    this.sockets += 1
    if (this.orphan) clearTimeout(this.orphan)
    return () => {
      this.sockets -= 1
      if (this.sockets > 0) return
      this.orphan = setTimeout(() => void this.files.session.end(), orphanLimit)
    }
  }

  async close(): Promise<void> {
    if (this.orphan) clearTimeout(this.orphan)
    for (const upload of this.uploads.values()) await upload.cancel('session_ended')
    this.uploads.clear()
  }

  get wire(): FileSessionWire {
    const { session } = this.files
    const { asset, actions, expire_at } = session.grant
    return {
      id: session.id,
      user: session.userDisplay,
      asset: { id: asset.id, name: asset.name, address: asset.address },
      account: session.accountDisplay,
      home: this.home,
      actions: actions.map((action) => action.value),
      max_chunk: maxChunk,
      expire_at,
      is_locked: session.lockedBy !== undefined,
    }
  }
}

/** The file sessions of all browsers, each only for the user who opened it. */
export class FileSessions {
  private readonly broker: Broker
  private readonly open = new Map<string, OpenFiles>()

  constructor(broker: Broker) {
    this.broker = broker
  }

  async create(user: User, token: string): Promise<OpenFiles> {
    const grant = await redeemToken(this.broker, user, token, ['web_sftp', 'web_cli'])
    const files = await FileSession.open(this.broker, user, grant)
    try {
      const remote = new RemoteFiles(await files.client())
      const start = startDirectory(grant)
      const home = (start && (await remote.exists(start)) ? start : undefined) ?? (await remote.realPath('.'))
      const opened = new OpenFiles(files, remote, home)
      this.open.set(files.session.id, opened)
      files.session.onEnd(() => void this.open.delete(files.session.id))
      files.onLeaving(() => opened.close())
      return opened
    } catch (error) {
      await files.session.end(refusalOf(error))
      throw error
    }
  }

  /** Throws the same error for an unknown session and another user's. */
  get(user: User, id: string): OpenFiles {
    const opened = this.open.get(id)
    if (!opened || opened.files.session.user.id !== user.id) throw new FileFailure('session_ended')
    return opened
  }
}
