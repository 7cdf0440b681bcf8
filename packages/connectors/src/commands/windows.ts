import type { SystemLogin, SystemTarget } from '../accounts/account-system.ts'
import { withCommandRunner } from '../accounts/windows/index.ts'
import { runPowerShell } from '../accounts/windows/powershell.ts'
import type { CommandEnd, OutputSink } from './command.ts'

/** Runs the command as a script block, and answers with what it wrote and how it ended. */
const script = `
param($d, $in)
$ProgressPreference = 'SilentlyContinue'
$ErrorActionPreference = 'Continue'
$code = 'ok'
$global:LASTEXITCODE = 0
try {
  if ($d.chdir) { Set-Location -LiteralPath $d.chdir -ErrorAction Stop }
  $text = & ([scriptblock]::Create($d.command)) 2>&1 | Out-String -Width 500
  $status = if ($LASTEXITCODE) { $LASTEXITCODE } elseif ($?) { 0 } else { 1 }
} catch {
  $text = $_ | Out-String
  $status = 1
}
$bytes = [Text.Encoding]::UTF8.GetBytes([string]$status + [char]10 + [string]$text)
[Console]::Out.WriteLine($d.nonce + ':ok:' + [Convert]::ToBase64String($bytes))
[Console]::Out.Flush()
`

/** Runs PowerShell over WinRM or OpenSSH. Its output comes when it has ended. @throws SystemFailure */
export async function runOnWindows(
  target: SystemTarget,
  login: SystemLogin,
  command: { text: string; chdir: string },
  sink: OutputSink,
): Promise<CommandEnd> {
  const values = { command: command.text, chdir: command.chdir }
  const answer = await withCommandRunner(target, login, (run) => runPowerShell(run, script, values))
  const at = answer.indexOf('\n')
  await sink(Buffer.from(answer.slice(at + 1)), 'out')
  return { status: Number(answer.slice(0, at)) || 0 }
}
