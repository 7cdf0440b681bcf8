import { describe, expect, it } from 'vitest'
import { blacklisted } from './command-rules.ts'

describe('the commands that no job may run', () => {
  const found = (command: string) => blacklisted(['reboot', ' halt '], 'shell', command)

  it.each([
    'reboot',
    '/sbin/reboot now',
    'true && reboot',
    'A=1 reboot',
    "re''boot",
    're\\boot',
    '"reboot"',
    "$'\\x72eboot'",
    're\\\nboot',
    'sudo reboot',
    'sudo -n -u root reboot',
    'su - root -c "reboot"',
    'sh -c "sleep 1; reboot"',
    'timeout 5 reboot',
    'echo | xargs -n 1 reboot',
    'if true; then reboot; fi',
    'while true\ndo reboot\ndone',
    'echo $(reboot)',
    '{reboot,now}',
    '>/dev/null reboot',
    '2>&1 reboot',
    '&>"a b" reboot',
    '< "a b" re""boot',
    '{fd}>file reboot',
    'case x in x) reboot;; esac',
    'case x in (y|x) /sbin/reboot ;; esac',
    'A="x y" reboot',
    'sudo -u "a b" reboot',
    'f() { reboot; }; f',
    'trap "sleep 1; reboot" EXIT',
    'cat <(reboot)',
    'bash <<< "x" && reboot',
    'coproc reboot',
    'eval reboot',
  ])('are found in %j', (command) => {
    expect(found(command)).toBe('reboot')
  })

  it.each([
    'echo reboot',
    'grep -r "reboot" /var/log',
    'cat /etc/reboot.conf',
    'rebooted',
    'cat > reboot',
    'case reboot in x) id;; esac',
    'systemctl status',
  ])('are not in %j', (command) => {
    expect(found(command)).toBeUndefined()
  })

  it('are those of the list, in modules that run commands', () => {
    expect(found('halt -p')).toBe('halt')
    expect(blacklisted(['reboot'], 'mysql', 'reboot')).toBeUndefined()
  })
})
