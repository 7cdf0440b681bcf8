/** Commands and files of users on targets, by the protocol of the target. */
export * from './command.ts'
export type { FileToSend } from './file-to-send.ts'
export { fetchFile, sendFiles } from './files.ts'
export { type CarriedCommand, type RunKeys, runKeys, withPlaybookHost } from './playbook-host.ts'
export { runSql, type SqlModule } from './sql.ts'
export { runOverSsh } from './ssh.ts'
export { runOnWindows } from './windows.ts'
