import { createAccount } from './create-script.ts'
import { installKey } from './key-script.ts'

/**
 * What runs on the targets, in the shell language that dash, bash, ksh and busybox share. Values are read from standard
 * input into variables and only ever used within quotes. Results are one line: `<nonce>:<code>:<what was said>`.
 */

/** Begins scripts that change something. `n` is the nonce of the bootstrap. */
export const preamble = String.raw`
LC_ALL=C; PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export LC_ALL PATH
set -f
ok() { printf '%s:ok:\n' "$n"; exit 0; }
fail() { printf '%s:%s:%s\n' "$n" "$1" "$(printf '%s' "$2" | tr '\n\r' '  ' | cut -c1-600)"; exit 0; }
# Some shells have no printf of their own: a secret would be an argument of a program, which other users can see.
case $(command -V printf 2>/dev/null) in
  *builtin*) put() { printf '%s\n' "$1"; } ;;
  *) put() { print -r -- "$1"; } ;;
esac
has() { command -v "$1" >/dev/null 2>&1; }
# failed CODE TEXT FOLDER: names what a program said; CODE is for what is not recognized. FOLDER is where only
# root may write, or empty.
failed() {
  case $2 in
    *"No space left"*|*"isk quota"*|*"nough space"*) fail disk_full "$2" ;;
    *"ead-only file system"*) fail read_only "$2" ;;
  esac
  if [ "$(id -u)" = 0 ] && [ -d "$3" ]; then
    # Many programs do not say why they could not write.
    probe=$3/.castellan-$$
    attempt=$( (set -C; umask 077; dd if=/dev/zero bs=1024 count=16 >"$probe") 2>&1)
    rm -f "$probe"
    case $attempt in
      *"No space left"*|*"isk quota"*) fail disk_full "$2" ;;
      *"ead-only file system"*) fail read_only "$2" ;;
    esac
  fi
  case $2 in
    *"ermission denied"*|*"not permitted"*|*"nly root"*|*"ust be root"*|*"annot lock"*) fail denied "$2" ;;
  esac
  fail "$1" "$2"
}
# locking COMMAND...: others change the list of accounts as well, and the programs give up at once.
locking() {
  tries=0
  while :; do
    said=$("$@" 2>&1) && return 0
    case $said in *"annot lock"*|*"try again later"*|*"file is busy"*) ;; *) return 1 ;; esac
    tries=$((tries + 1))
    [ "$tries" -lt 20 ] && [ "$(id -u)" = 0 ] || return 1
    sleep 1
  done
}
refuse_unless_root() { [ "$(id -u)" = 0 ] || fail denied "only root can do this; the login is $(id -un)"; }
# field NUMBER FILE: a field of the account's line; nothing where there is no such file.
field() { [ -f "$2" ] && U=$user F=$1 awk -F: '$1 == ENVIRON["U"] { print $(ENVIRON["F"] + 0); exit }' "$2" 2>/dev/null; }
system=$(uname -s)
`

/** Sets the password of the account. Reads it as the last value. */
const setPassword = `
by_chpasswd() { put "$user:$secret" | chpasswd; }
by_chpasswd_aix() { put "$user:$secret" | chpasswd -c; }
by_pw() { put "$secret" | pw usermod -n "$user" -h 0; }
by_hash() { usermod -p "$hash" "$user"; }
set_password() {
  refuse_unless_root
  if [ "$is_new" = 0 ]; then
    case $(field 2 /etc/shadow)$(field 2 /etc/master.passwd) in
      '*LOCKED*'*|'!'[!!*]*) fail denied "the account $user is locked; unlock it first" ;;
    esac
  fi
  if [ "$system" = AIX ] && has chpasswd; then set -- by_chpasswd_aix
  elif has chpasswd; then set -- by_chpasswd
  elif has pw; then set -- by_pw
  elif has usermod && has encrypt; then
    hash=$(put "$secret" | encrypt) || fail secret_rejected "encrypt failed"
    set -- by_hash
  else fail unsupported "there is no program that sets passwords on $system"
  fi
  locking "$@" || failed secret_rejected "$said" /etc
}
`

const readValues = (names: readonly string[]) => names.map((name) => `IFS= read -r ${name}`).join('\n')

/** Values that `changeScript` reads, in this order. */
export const changeValues = [
  'user',
  'create',
  'home',
  'shell',
  'groups',
  'sudo',
  'sudo_file',
  'strategy',
  'comment',
  'key',
  'key_script',
  'secret',
] as const

/**
 * Sets the password or the key of an account. Only what is needed for it is sent: shells read a line byte by byte, each
 * by a call of the system.
 * @param mayCreate whether the value `create` is `yes`
 */
export const changeScript = (kind: 'password' | 'ssh_key', mayCreate: boolean): string =>
  [
    preamble,
    readValues(changeValues),
    mayCreate ? createAccount : '',
    kind === 'ssh_key' ? installKey : setPassword,
    `
is_new=0
if ! id -u "$user" >/dev/null 2>&1; then
  case $create in
    ${mayCreate ? 'yes) create_account ;;' : ''}
    no) fail account_missing "there is no account $user" ;;
    *) fail bad_name "$create" ;;
  esac
  is_new=1
fi
${kind === 'ssh_key' ? 'install_key' : 'set_password'}
ok
`,
  ].join('\n')

/** Removes an account with the rule that it was created with. Its files stay, and so do its processes. */
export const removeScript = [
  preamble,
  readValues(['user', 'login', 'sudo_file']),
  `
id -u "$user" >/dev/null 2>&1 || ok
[ "$(id -u)" = 0 ] || fail denied "only root can do this; the login is $(id -un)"
case $(id -u "$user") in
  0) fail denied "$user is the root account of the system" ;;
  "$(id -u "$login" 2>/dev/null)") fail denied "$user is the account that signed in" ;;
esac
if [ "$system" = AIX ]; then set -- rmuser -p "$user"
elif has pw; then set -- pw userdel -n "$user"
elif has userdel; then set -- userdel "$user"
elif has deluser; then set -- deluser "$user"
else fail unsupported "there is no program that removes accounts on $system"
fi
locking "$@" || failed denied "$said" /etc
rm -f "/etc/sudoers.d/$sudo_file" "/usr/local/etc/sudoers.d/$sudo_file"
ok
`,
].join('\n')

/** Proves that a shell of the account runs. */
export const identityScript = `printf '%s:ok:\\n' "$n"`
