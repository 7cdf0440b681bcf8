/**
 * Messages between browser and gateway on the web terminal's socket. Text frames contain a `TerminalFrame`, binary
 * frames terminal bytes.
 */
export const webTerminalProtocol = 'JMS-KOKO'
export const webTerminalPath = '/koko/ws/terminal/'
/**
 * Control socket of the file manager, `?session=<file session id>`: frames are `TerminalFrame`s. The gateway sends
 * TERMINAL_SESSION_PAUSE / _RESUME, TERMINAL_ERROR (text in `err`) and CLOSE. The browser sends PING every 25 s and
 * CLOSE. A file session without a socket for 60 s is closed, so that a closed tab leaves no open session.
 */
export const fileManagerSocketPath = '/koko/ws/elfinder/'
/** Files of a file session: list, read, write, create, move, delete; see `FileEntry`. */
export const filesPath = '/koko/files/'

export type TerminalFrameType =
  | 'CONNECT'
  | 'TERMINAL_INIT'
  | 'TERMINAL_SESSION'
  | 'TERMINAL_DATA'
  | 'TERMINAL_BINARY'
  | 'TERMINAL_RESIZE'
  | 'TERMINAL_ACTION'
  | 'TERMINAL_ACK'
  | 'TERMINAL_SESSION_PAUSE'
  | 'TERMINAL_SESSION_RESUME'
  | 'TERMINAL_SHARE'
  | 'TERMINAL_GET_SHARE_USER'
  | 'TERMINAL_SHARE_JOIN'
  | 'TERMINAL_SHARE_LEAVE'
  | 'TERMINAL_SHARE_USERS'
  | 'TERMINAL_SHARE_USER_REMOVE'
  | 'TERMINAL_SYNC_USER_PREFERENCE'
  | 'MESSAGE_NOTIFY'
  | 'TERMINAL_ERROR'
  | 'ERROR'
  | 'PING'
  | 'PONG'
  | 'CLOSE'

/** `data` is JSON in a string, as in the v3 API. `id` is the connection id issued in CONNECT. */
export interface TerminalFrame {
  id: string
  type: TerminalFrameType
  data: string
  err: string
}

/** `ack`: this client acknowledges rendered output (`TerminalAck`). Without it, the gateway does not wait. */
export interface TerminalInit {
  cols: number
  rows: number
  code?: string
  ack?: boolean
}

/**
 * Back-pressure from the screen. A browser cannot stop reading a WebSocket, so a client that sent `ack: true` reports
 * the number of rendered bytes of binary frames since the socket opened (a running total, so that a lost frame does no
 * harm). The gateway stops reading from the target while more than `terminalWindow` sent bytes are unacknowledged.
 * Monitors acknowledge too. A slow monitor skips output and never slows the session.
 */
export interface TerminalAck {
  bytes: number
}
/** Maximum of terminal output bytes in transit and not yet rendered. */
export const terminalWindow = 512 * 1024
/** A client acknowledges at the latest after this many rendered bytes. */
export const terminalAckEvery = 64 * 1024

export interface TerminalSessionInfo {
  session: {
    id: string
    user: string
    asset: string
    account: string
    protocol: string
    date_start: string
    expire_at: number
  }
  permission: { actions: string[] }
  backspaceAsCtrlH: boolean
  ctrlCAsCtrlZ: boolean
  themeName: string
}

/** One entry of a directory in the file manager. Sizes in bytes, times in unix seconds, mode as octal bits. */
export interface FileEntry {
  name: string
  type: 'file' | 'directory' | 'link' | 'other'
  size: number
  modified: number
  mode: number
  owner: string
  group: string
}

/*
 * Socket of the web terminal. Query: `token=<connection token id>` | `type=monitor&target_id=<session id>` |
 * `type=share&target_id=<sharing id>`;
 * subprotocol `JMS-KOKO`. Origin must be the page's own host. Order of frames:
 *   ← CONNECT         data `TerminalConnect`; `id` of this frame is the connection id every later frame carries
 *   → TERMINAL_INIT   data `TerminalInit`
 *   ← TERMINAL_SESSION data `TerminalSessionInfo` (the target answered; earlier binary frames may show progress texts)
 *   ⇄ binary frames   bytes of the terminal, UTF-8 (TERMINAL_DATA with `data` = text is accepted too)
 *   → TERMINAL_RESIZE data `TerminalInit`
 *   → TERMINAL_ACK    data `TerminalAck`
 *   ← TERMINAL_SESSION_PAUSE / _RESUME  data `TerminalSessionNotice`
 *   ← TERMINAL_ERROR  `err` = text for the user, `data` = `TerminalErrorData`; then ← CLOSE
 * Monitor: the same, without input. ← TERMINAL_RESIZE (data `TerminalInit`) is the size of the watched terminal, sent before
 * the picture and whenever it changes; the current picture comes next as one binary frame.
 */
export interface TerminalConnect {
  user: { id: string; name: string; username: string }
  setting: { SECURITY_SESSION_SHARE: boolean }
}

/*
 * Sharing. The owner of a session, if its permission has the action `share`:
 *   → TERMINAL_SHARE            `TerminalShareWish`; ← the same type with `TerminalShareLink`, or with `err`
 *   → TERMINAL_GET_SHARE_USER   `{query}`; ← the same type with users `{id, name, username}[]`
 *   → TERMINAL_SHARE_USER_REMOVE  `{session, user_meta: ShareParticipant}`
 * Everybody in the session:
 *   ← TERMINAL_SHARE_USERS      participants by `terminal_id`, when the session starts or is joined
 *   ← TERMINAL_SHARE_JOIN / _LEAVE  a `ShareParticipant`
 *   ← TERMINAL_SHARE_USER_REMOVE  to a participant who was removed; then ← TERMINAL_ERROR and ← CLOSE
 * Who joins opens the socket with `type=share&target_id=<sharing id>` and sends the code in TERMINAL_INIT. After that it is
 * like a monitor's, and a participant with write access sends input. Sizes that a participant sends are ignored.
 */
export interface ShareParticipant {
  user: string
  user_id: string
  created: string
  remote_addr: string
  terminal_id: string
  /** The owner of the session. */
  primary: boolean
  writable: boolean
}

export interface TerminalShareWish {
  session: string
  /** Minutes. */
  expired_time: number
  users: string[]
  action_permission: 'readonly' | 'writable'
  origin: string
}

export interface TerminalShareLink {
  share_id: string
  code: string
}

/** Display name of the user who paused or resumed the session. */
export interface TerminalSessionNotice {
  user: string
}

/** Why a terminal or file session could not start or ended. `none` is a normal end (the shell exited). */
export type SessionEndReason =
  | 'none'
  | 'unauthenticated'
  | 'token_invalid'
  | 'permission_denied'
  | 'permission_expired'
  | 'connect_failed'
  | 'host_key_mismatch'
  | 'recording_failed'
  | 'idle_timeout'
  | 'max_time'
  | 'terminated'
  | 'user_disabled'
  | 'signed_out'
  | 'server_unreachable'
  | 'internal'

export interface TerminalErrorData {
  reason: SessionEndReason
}

/*
 * File manager over HTTP. All paths below `/koko/files/`; the user is identified by the browser's cookies. Requests that
 * change data must have an `Origin` of the same host (browsers send it automatically). JSON in and out unless stated
 * otherwise. Remote paths are absolute on the target (`/home/root/a.txt`). An error is
 * `{ code: FileErrorCode, detail: string }` with status 400, 401, 403, 404, 409, 413, 423 or 502.
 *
 *   POST   sessions/                          `{ token }` (connection token of protocol sftp, or ssh) → 201 `FileSession`
 *   GET    sessions/{id}/                     → 200 `FileSession`
 *   DELETE sessions/{id}/                     → 204; running transfers are canceled
 *   GET    sessions/{id}/list/?path=          → 200 `FileList` (directories first, then by name)
 *   GET    sessions/{id}/stat/?path=          → 200 `FileEntry`
 *   POST   sessions/{id}/mkdir/               `{ path }` → 201 `FileEntry`                        (action upload)
 *   POST   sessions/{id}/rename/              `{ from, to }` → 200 `FileEntry`                    (action upload)
 *   POST   sessions/{id}/remove/              `{ paths: string[] }` → 200 `FileRemoved`; folders with their content
 *                                                                                                 (action delete)
 *   POST   sessions/{id}/uploads/             `FileUploadRequest` → 201 `FileUpload`              (action upload)
 *   GET    sessions/{id}/uploads/{upload}/    → 200 `FileUpload`: the offset to resume from
 *   PUT    sessions/{id}/uploads/{upload}/?offset=N   raw body (application/octet-stream), one chunk of any size up to
 *                                             `FileSession.max_chunk` → 200 `FileUpload`; an offset that is not the
 *                                             upload's → 409 `offset_mismatch` with `offset` beside `code`
 *   DELETE sessions/{id}/uploads/{upload}/    → 204: canceled, the unfinished file is removed
 *   GET    sessions/{id}/download/?path=      → 200 or 206 (header `Range: bytes=a-b`), the bytes, Content-Disposition
 *                                             attachment; aborting the request cancels it         (action download)
 *
 * An upload is written to `.<name>.<upload id>.part` in the target folder and renamed after the last byte, so an
 * interrupted upload never leaves a partial file under the final name. A resumed download starts with Range.
 */
export interface FileSession {
  id: string
  user: string
  asset: { id: string; name: string; address: string }
  account: string
  /** Initial directory. */
  home: string
  actions: string[]
  /** Largest body of a PUT request in bytes. */
  max_chunk: number
  expire_at: number
  is_locked: boolean
}

export interface FileList {
  path: string
  entries: FileEntry[]
  /** True if the directory has more entries than the gateway lists (10,000). */
  truncated: boolean
}

export interface FileRemoved {
  removed: string[]
  failed: { path: string; code: FileErrorCode; detail: string }[]
}

/** `conflict` decides about an existing name: rejected with 409 `exists`, replaced, or stored under a free name. */
export interface FileUploadRequest {
  path: string
  size: number
  conflict?: 'fail' | 'replace' | 'suffix'
}

export interface FileUpload {
  id: string
  /** Final path of the file; differs from the request with conflict `suffix`. */
  path: string
  size: number
  /** Bytes written; the offset of the next chunk. */
  offset: number
  done: boolean
}

export type FileErrorCode =
  | 'bad_request'
  | 'unauthenticated'
  | 'token_invalid'
  | 'permission_denied'
  | 'not_found'
  | 'exists'
  | 'offset_mismatch'
  | 'too_large'
  | 'locked'
  | 'session_ended'
  | 'connect_failed'
  | 'host_key_mismatch'
  | 'recording_failed'
  | 'target_error'

export interface FileError {
  code: FileErrorCode
  detail: string
  /** With `offset_mismatch`: the current offset of the upload. */
  offset?: number
}
