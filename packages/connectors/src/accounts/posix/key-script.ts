/** Installs the public key, as the account itself: its home folder may hold anything that its owner put there. */
export const installKey = String.raw`
home_of_account() {
  line=$(getent passwd "$user" 2>/dev/null) || line=
  if [ -n "$line" ]; then put "$line" | cut -d: -f6; else field 6 /etc/passwd; fi
}
as_account() {
  if [ "$(id -u "$user")" = "$(id -u)" ]; then /bin/sh -c "$KEY_SCRIPT"; return; fi
  # Without the terminal of this session, which the account could type into.
  set --
  if has setsid; then set -- setsid; fi
  if has runuser; then "$@" runuser -u "$user" -- /bin/sh -c 'eval "$KEY_SCRIPT"'
  elif [ "$system" = Linux ]; then "$@" su -s /bin/sh "$user" -c 'eval "$KEY_SCRIPT"'
  elif [ "$system" = FreeBSD ]; then SHELL=/bin/sh "$@" su -m "$user" -c 'eval "$KEY_SCRIPT"'
  else "$@" su "$user" -c "exec /bin/sh -c 'eval \"\$KEY_SCRIPT\"'"
  fi
}
install_key() {
  [ "$(id -u "$user")" = "$(id -u)" ] || refuse_unless_root
  KEY_HOME=$(home_of_account) KEY_LINE=$key KEY_COMMENT=$comment KEY_STRATEGY=$strategy KEY_SCRIPT=$(printf %b "$key_script")
  export KEY_HOME KEY_LINE KEY_COMMENT KEY_STRATEGY KEY_SCRIPT
  # The account could print without end.
  said=$(as_account </dev/null 2>&1 | dd bs=512 count=8 2>/dev/null)
  result=$(put "$said" | grep '^castellan:' | tail -n 1)
  code=$(put "$result" | cut -d: -f2)
  said_by_key=$(put "$result" | cut -d: -f3-)
  case $code in
    ok) return ;;
    disk_full|read_only|denied|unsupported|bad_answer) fail "$code" "$said_by_key" ;;
  esac
  failed denied "the commands of the account $user failed: $said" ""
}
`

/** Runs as the account whose key is installed. Its owner may change anything below it at any time. */
export const keyScript = String.raw`
LC_ALL=C; PATH=/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin; export LC_ALL PATH
say() { printf 'castellan:%s:%s\n' "$1" "$(printf '%s' "$2" | tr '\n\r' '  ' | cut -c1-300)"; exit 0; }
failed() {
  case $1 in
    *"No space left"*|*"isk quota"*) say disk_full "$1" ;;
    *"ead-only file system"*) say read_only "$1" ;;
    *) say denied "$1" ;;
  esac
}
umask 077
case $KEY_HOME in /*) ;; *) say unsupported "the account has no home folder" ;; esac
[ -d "$KEY_HOME" ] || say unsupported "the home folder $KEY_HOME does not exist"
cd "$KEY_HOME" || say denied "the home folder $KEY_HOME cannot be entered"
[ -h .ssh ] && say unsupported "~/.ssh is a symbolic link"
if ! [ -d .ssh ]; then
  said=$(mkdir .ssh 2>&1) || failed "$said"
  if command -v restorecon >/dev/null 2>&1; then restorecon .ssh >/dev/null 2>&1; fi
fi
said=$(chmod 700 .ssh 2>&1) || failed "$said"
file=.ssh/authorized_keys
[ -h $file ] && say unsupported "~/$file is a symbolic link"
if [ -e $file ]; then
  [ -f $file ] || say unsupported "~/$file is not a regular file"
  [ "$(find $file -size +2048 2>/dev/null)" = "" ] || say bad_answer "~/$file is larger than 1 MB"
  old=$file
else
  old=/dev/null
fi
draft=.ssh/.castellan-$$
trap 'rm -f $draft' 0
rm -f $draft
write() {
  set -C
  awk '
    BEGIN { key = ENVIRON["KEY_LINE"]; split(key, part, " "); comment = ENVIRON["KEY_COMMENT"]; strategy = ENVIRON["KEY_STRATEGY"] }
    strategy == "set" { next }
    { line = $0; sub(/[ \t\r]+$/, "", line) }
    strategy == "set_jms" && comment != "" && (length(line) > length(comment)) && substr(line, length(line) - length(comment)) == " " comment { next }
    $1 == part[1] && $2 == part[2] { if (found) next; found = 1 }
    { print }
    END { if (!found) print key }
  ' $old >$draft
}
said=$( (write) 2>&1) || failed "$said"
grep -F -- "$(printf '%s' "$KEY_LINE" | cut -d' ' -f2)" $draft >/dev/null || failed "No space left on device"
said=$(chmod 600 $draft 2>&1 && mv -f $draft $file 2>&1) || failed "$said"
say ok ''
`
