import { powerShellScript } from './powershell.ts'

/** What is done with the local users of Windows. Names reach the commands as values, never as text of the script. */

/** Sets the password of a user, which never expires then; adds the user to the groups. */
export const changeScript = powerShellScript(`
  $groups = @($d.groups | ForEach-Object {
    # The groups of Windows have other names in other languages.
    $sid = switch ($_) {
      'Administrators' { 'S-1-5-32-544' }
      'Users' { 'S-1-5-32-545' }
      'Guests' { 'S-1-5-32-546' }
      'Power Users' { 'S-1-5-32-547' }
      'Remote Desktop Users' { 'S-1-5-32-555' }
      'Remote Management Users' { 'S-1-5-32-580' }
    }
    if ($sid) { Get-LocalGroup -SID $sid } else {
      $name = $_
      $found = @(Get-LocalGroup | Where-Object { $_.Name -eq $name })
      if ($found.Count -eq 0) { Fail 'bad_name' ('the group ' + $name + ' does not exist') }
      $found[0]
    }
  })
  $user = @(Get-LocalUser | Where-Object { $_.Name -eq $d.username })
  if ($user.Count -eq 0 -and -not $d.create) { Fail 'account_missing' ('there is no local user ' + $d.username) }
  if ($user.Count -gt 0 -and -not $user[0].Enabled) { Fail 'denied' ('the user ' + $d.username + ' is disabled; enable it first') }
  $password = [Security.SecureString]::new()
  $bytes = [Convert]::FromBase64String($in.ReadLine())
  foreach ($character in [Text.Encoding]::UTF8.GetString($bytes).ToCharArray()) { $password.AppendChar($character) }
  if ($user.Count -eq 0) {
    $made = New-LocalUser -Name $d.username -Password $password -PasswordNeverExpires -AccountNeverExpires
    $sid = $made.SID
  } else {
    $sid = $user[0].SID
    Set-LocalUser -SID $sid -Password $password -PasswordNeverExpires $true
  }
  foreach ($group in $groups) {
    try { Add-LocalGroupMember -SID $group.SID -Member $sid.Value } catch {
      if ($_.Exception.GetType().Name -ne 'MemberExistsException') { throw }
    }
  }
  Answer 'ok' ''
`)

/** The users that can sign in. */
export const listScript = powerShellScript(`
  $users = @(Get-LocalUser | Where-Object { $_.Enabled } | ForEach-Object {
    $last = $null
    if ($_.LastLogon) { $last = [DateTimeOffset]::new($_.LastLogon.ToUniversalTime()).ToUnixTimeMilliseconds() }
    @{ username = $_.Name; lastLogin = $last }
  })
  Answer 'ok' (ConvertTo-Json -Compress -InputObject $users)
`)

/** Removes a user; the files of the user stay. */
export const removeScript = powerShellScript(`
  $user = @(Get-LocalUser | Where-Object { $_.Name -eq $d.username })
  if ($user.Count -gt 0) {
    if ($user[0].SID.Value -like '*-500') { Fail 'denied' ($d.username + ' is the administrator of the system') }
    if ($user[0].SID.Value -eq [Security.Principal.WindowsIdentity]::GetCurrent().User.Value) {
      Fail 'denied' ($d.username + ' is the account that signed in')
    }
    Remove-LocalUser -SID $user[0].SID
  }
  Answer 'ok' ''
`)
