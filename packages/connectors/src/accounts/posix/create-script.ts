/** Creates the account. Before anything is made, everything that can be wrong has been looked at. */
export const createAccount = `
create_account() {
  refuse_unless_root
  if ! [ -x "$shell" ]; then
    [ "$shell" = /bin/bash ] || fail unsupported "the shell $shell does not exist"
    shell=/bin/sh
  fi
  rest=$groups
  while [ -n "$rest" ]; do
    group=$(put "$rest" | cut -d, -f1)
    case $rest in *,*) rest=$(put "$rest" | cut -d, -f2-) ;; *) rest= ;; esac
    { getent group "$group" >/dev/null 2>&1 || G=$group awk -F: '$1 == ENVIRON["G"] { found = 1 } END { exit !found }' /etc/group; } ||
      fail bad_name "the group $group does not exist"
  done
  rule=
  if [ -n "$sudo" ] && has visudo; then
    for folder in /etc/sudoers.d /usr/local/etc/sudoers.d; do
      [ -d "$folder" ] || continue
      rule=$folder/$sudo_file
      # sudo reads no file with a dot in its name.
      draft=$folder/.$sudo_file.draft
      rm -f "$draft"
      said=$( (umask 0337; set -C; put "$sudo" >"$draft") 2>&1) || { rm -f "$draft"; failed denied "$said" "$folder"; }
      said=$(visudo -cf "$draft" 2>&1) || { rm -f "$draft"; failed bad_name "$said" "$folder"; }
      break
    done
  fi
  own_group=$(getent group "$user" 2>/dev/null || U=$user awk -F: '$1 == ENVIRON["U"]' /etc/group)
  # A locked password would forbid keys as well; this one only fits no password.
  if [ "$system" = AIX ]; then
    [ -n "$own_group" ] || locking mkgroup "$user"
    set -- mkuser "pgrp=$user" "home=$home" "shell=$shell"
    [ -z "$groups" ] || set -- "$@" "groups=$user,$groups"
    set -- "$@" expires=0 "$user"
  elif has pw; then
    set -- pw useradd -n "$user" -m -d "$home" -s "$shell" -h -
    [ -z "$own_group" ] || set -- "$@" -g "$user"
    [ -z "$groups" ] || set -- "$@" -G "$groups"
  elif has useradd; then
    set -- useradd -m -d "$home" -s "$shell"
    [ -z "$groups" ] || set -- "$@" -G "$groups"
    case $system in
      *BSD) if [ -z "$own_group" ]; then set -- "$@" -g =uid; else set -- "$@" -g "$user"; fi ;;
      *)
        set -- "$@" -e '' -p '*'
        if [ -z "$own_group" ]; then set -- "$@" -U; else set -- "$@" -g "$user"; fi
        ;;
    esac
    set -- "$@" "$user"
  elif has adduser; then
    set -- adduser -D -h "$home" -s "$shell"
    [ -z "$own_group" ] || set -- "$@" -G "$user"
    set -- "$@" "$user"
  else
    fail unsupported "there is no program that creates accounts on $system"
  fi
  created=$1
  if ! locking "$@"; then
    [ -z "$rule" ] || rm -f "$draft"
    case $said in *"nvalid user name"*|*"bad name"*|*"illegal"*) fail bad_name "$said" ;; esac
    failed denied "$said" /etc
  fi
  if [ "$created" = adduser ]; then
    rest=$groups
    while [ -n "$rest" ]; do
      group=$(put "$rest" | cut -d, -f1)
      case $rest in *,*) rest=$(put "$rest" | cut -d, -f2-) ;; *) rest= ;; esac
      locking addgroup "$user" "$group" || failed denied "$said" /etc
    done
  fi
  if [ -n "$rule" ]; then
    said=$(chmod 0440 "$draft" 2>&1 && mv -f "$draft" "$rule" 2>&1) || failed denied "$said" "$folder"
  fi
}
`
