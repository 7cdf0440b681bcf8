import { randomBytes } from 'node:crypto'
import { SystemFailure, type SystemFailureCode } from '../account-system.ts'
import { detailOf } from '../ssh-session.ts'

/** Runs a program with words that need no quotes, gives it `input`, and returns at most `most` bytes that it printed. */
export type CommandRunner = (program: string, words: readonly string[], input: string, most: number) => Promise<string>

/** Bytes of an answer: a list of 10,000 accounts fits. */
const longestAnswer = 4 * 1024 * 1024

/**
 * Reads the script and its values from standard input, so that neither is in a command line, which other programs and the
 * log of processes see. The secret comes by itself and through methods only: what commands are given, PowerShell can log.
 */
const bootstrap = [
  "$ErrorActionPreference='Stop'",
  '$i=[Console]::In',
  'function Text{[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($i.ReadLine()))}',
  '$s=Text',
  '$d=Text|ConvertFrom-Json',
  '&([scriptblock]::Create($s)) $d $i',
].join(';')

export const powerShellWords = [
  '-NoProfile',
  '-NonInteractive',
  '-EncodedCommand',
  Buffer.from(bootstrap, 'utf16le').toString('base64'),
] as const

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Begins every script: how it answers, and what the exceptions of the commands mean. */
const preamble = `
param($d, $in)
$ProgressPreference = 'SilentlyContinue'
function Answer($code, $text) {
  $bytes = [Text.Encoding]::UTF8.GetBytes([string]$text)
  [Console]::Out.WriteLine($d.nonce + ':' + $code + ':' + [Convert]::ToBase64String($bytes))
  [Console]::Out.Flush()
}
$failure = @{ code = $null }
function Fail($code, $text) { $failure.code = $code; throw $text }
try {
  if (-not (Get-Command Get-LocalUser -ErrorAction SilentlyContinue)) {
    Fail 'unsupported' 'Windows has no commands for local users (PowerShell 5.1 is needed)'
  }
`
const ending = `
} catch {
  $e = $_.Exception
  $code = switch ($e.GetType().Name) {
    'UserNotFoundException' { 'account_missing' }
    'PrincipalNotFoundException' { 'account_missing' }
    'GroupNotFoundException' { 'bad_name' }
    'InvalidNameException' { 'bad_name' }
    'NameInUseException' { 'bad_name' }
    'InvalidPasswordException' { 'secret_rejected' }
    'AccessDeniedException' { 'denied' }
    'UnauthorizedAccessException' { 'denied' }
    default { 'bad_answer' }
  }
  if ($failure.code) { $code = $failure.code }
  Answer $code $e.Message
}
`

export const powerShellScript = (body: string): string => `${preamble}${body.trim()}${ending}`

const failureCodes: ReadonlySet<string> = new Set<SystemFailureCode>([
  'denied',
  'account_missing',
  'bad_name',
  'secret_rejected',
  'unsupported',
  'bad_answer',
])

/**
 * Runs a script with values and, by itself, a secret.
 * @returns what it answered
 * @throws SystemFailure that the script names; an ordinary error when it ended without an answer
 */
export async function runPowerShell(
  run: CommandRunner,
  script: string,
  values: Readonly<Record<string, unknown>>,
  secret = '',
): Promise<string> {
  const nonce = `castellan-${randomBytes(8).toString('hex')}`
  const lines = [base64(script), base64(JSON.stringify({ ...values, nonce })), base64(secret)]
  const output = await run('powershell.exe', powerShellWords, `${lines.join('\r\n')}\r\n`, longestAnswer)
  const [, code = '', answer = ''] = new RegExp(`${nonce}:(\\w+):([A-Za-z0-9+/=]*)`).exec(output) ?? []
  const text = Buffer.from(answer, 'base64').toString('utf8')
  if (code === 'ok') return text
  if (failureCodes.has(code)) throw new SystemFailure(code as SystemFailureCode, detailOf(text, [secret]))
  throw new Error('PowerShell ended without an answer')
}
