/**
 * What browser and gateway say to each other on the web terminal's socket
 * (v3 contract, console/terminal-app.md §7.1). Text frames carry a `TerminalFrame`, binary frames terminal bytes.
 */
export const webTerminalProtocol = 'JMS-KOKO'
export const webTerminalPath = '/koko/ws/terminal/'
/** Control socket of the file manager: the gateway's file sessions are opened and kept alive by it. */
export const fileManagerSocketPath = '/koko/ws/elfinder/'
/** Files of a file session: list, read, write, make, move, remove; see `FileEntry`. */
export const filesPath = '/koko/files/'

export type TerminalFrameType =
  | 'CONNECT'
  | 'TERMINAL_INIT'
  | 'TERMINAL_SESSION'
  | 'TERMINAL_DATA'
  | 'TERMINAL_BINARY'
  | 'TERMINAL_RESIZE'
  | 'TERMINAL_ACTION'
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

/** `data` is JSON inside a string, as the contract has it. `id` is the connection id issued in CONNECT. */
export interface TerminalFrame {
  id: string
  type: TerminalFrameType
  data: string
  err: string
}

export interface TerminalInit {
  cols: number
  rows: number
  code?: string
}

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
