import { powerShellScript } from '../accounts/windows/powershell.ts'

/** What is done on a Windows host so that applications run on it. Values reach the commands as values, never as text. */

const demandAdministrator = `
  $who = New-Object Security.Principal.WindowsPrincipal([Security.Principal.WindowsIdentity]::GetCurrent())
  if (-not $who.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
    Fail 'denied' 'the account is no administrator of the host'
  }
`

export const checkScript = powerShellScript(`
  $system = Get-CimInstance Win32_OperatingSystem
  if ($system.ProductType -eq 1) { Fail 'unsupported' ('Windows Server is needed, and this is ' + $system.Caption) }
  ${demandAdministrator}
  Answer 'ok' $system.Caption
`)

/** Answers `restart` when the host has to be restarted before the next step. */
export const rolesScript = powerShellScript(`
  $result = Install-WindowsFeature -Name RDS-RD-Server -IncludeManagementTools
  if (-not $result.Success) { Fail 'bad_answer' 'the role Remote Desktop Session Host could not be installed' }
  if ($result.RestartNeeded -eq 'Yes') { Answer 'ok' 'restart' } else { Answer 'ok' '' }
`)

export const policiesScript = powerShellScript(`
  $key = 'HKLM:\\SOFTWARE\\Policies\\Microsoft\\Windows NT\\Terminal Services'
  if (-not (Test-Path $key)) { New-Item -Path $key -Force | Out-Null }
  $numbers = @{
    fSingleSessionPerUser = $d.singleSession
    MaxDisconnectionTime = $d.disconnection
    RemoteAppLogoffTimeLimit = $d.logoff
  }
  foreach ($name in $numbers.Keys) {
    Set-ItemProperty -Path $key -Name $name -Value ([int]$numbers[$name]) -Type DWord
  }
  if ($d.licensing) {
    Set-ItemProperty -Path $key -Name LicenseServers -Value ([string]$d.licenseServer) -Type String
    Set-ItemProperty -Path $key -Name LicensingMode -Value ([int]$d.licensingMode) -Type DWord
  }
  $list = 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Terminal Server\\TSAppAllowList'
  if (-not (Test-Path $list)) { New-Item -Path $list -Force | Out-Null }
  Set-ItemProperty -Path $list -Name fDisabledAllowList -Value 1 -Type DWord
  Answer 'ok' ''
`)

const agentFolder = `
  $folder = Join-Path $env:ProgramFiles 'Tinker'
  $agent = Join-Path $folder 'tinkerd.exe'
`

/** Installs the agent and Python unless they are there, from the installers under the address of the server. */
export const programsScript = powerShellScript(`
  ${agentFolder}
  if ($d.ignoreCertificates) { [Net.ServicePointManager]::ServerCertificateValidationCallback = { $true } }
  [Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12
  function Install($file, $words) {
    $target = Join-Path $env:TEMP $file
    $from = [string]$d.core + '/download/applets/' + $file
    try { (New-Object Net.WebClient).DownloadFile($from, $target) } catch { Fail 'bad_answer' ('no installer at ' + $from) }
    $process = Start-Process -FilePath $target -ArgumentList $words -Wait -PassThru
    Remove-Item -Path $target -Force -ErrorAction SilentlyContinue
    if ($process.ExitCode -ne 0) { Fail 'bad_answer' ($file + ' ended with ' + $process.ExitCode) }
  }
  if (-not (Get-Command python.exe -ErrorAction SilentlyContinue)) {
    Install 'python-installer.exe' @('/quiet', 'InstallAllUsers=1', 'PrependPath=1')
  }
  if (-not (Test-Path $agent)) { Install 'Tinker_Installer.exe' @('/VERYSILENT', '/NORESTART') }
  if (-not (Test-Path $agent)) { Fail 'bad_answer' ('the agent is not at ' + $agent) }
  Answer 'ok' ''
`)

/** The token comes by itself, as secrets do. */
export const configScript = powerShellScript(`
  ${agentFolder}
  $token = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($in.ReadLine()))
  $lines = @(
    'HOST_ID: ' + $d.host
    'CORE_HOST: ' + $d.core
    'BOOTSTRAP_TOKEN: ' + $token
    'IGNORE_VERIFY_CERTS: ' + ([string][bool]$d.ignoreCertificates).ToLower()
  )
  $file = Join-Path $folder 'config.yml'
  Set-Content -Path $file -Value $lines -Encoding UTF8
  # Users of the host must not read the token. The groups have other names in other languages.
  $rules = New-Object Security.AccessControl.FileSecurity
  $rules.SetAccessRuleProtection($true, $false)
  foreach ($sid in 'S-1-5-18', 'S-1-5-32-544') {
    $id = New-Object Security.Principal.SecurityIdentifier($sid)
    $rules.AddAccessRule((New-Object Security.AccessControl.FileSystemAccessRule($id, 'FullControl', 'Allow')))
  }
  Set-Acl -Path $file -AclObject $rules
  # The key of an earlier component no longer works.
  Remove-Item -Path (Join-Path $folder 'data\\keys\\.access_key') -Force -ErrorAction SilentlyContinue
  Answer 'ok' ''
`)

export const serviceScript = powerShellScript(`
  ${agentFolder}
  if (-not (Get-Service -Name tinkerd -ErrorAction SilentlyContinue)) { & $agent service install | Out-Null }
  Restart-Service -Name tinkerd -Force
  for ($i = 0; $i -lt 30; $i++) {
    if ((Get-Service -Name tinkerd).Status -eq 'Running') { Answer 'ok' ''; return }
    Start-Sleep -Seconds 1
  }
  Fail 'bad_answer' 'the agent does not stay running'
`)

/** Installs one application, or all of them without a name. */
export const appletScript = powerShellScript(`
  ${agentFolder}
  if (-not (Test-Path $agent)) { Fail 'unsupported' 'the host has no agent; deploy the host first' }
  if ($d.name) { $said = & $agent install --name ([string]$d.name) 2>&1 } else { $said = & $agent install all 2>&1 }
  if ($LASTEXITCODE -ne 0) { Fail 'bad_answer' (($said | Out-String).Trim()) }
  Answer 'ok' ''
`)
