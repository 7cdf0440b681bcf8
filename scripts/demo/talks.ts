/** What is typed in the sessions of the demo, and what hosts answer. */
export type Spoken = readonly { input: string; output: string; risk?: number }[]

/** Levels of risk of commands, as the command log stores them. */
const refused = 5
const warned = 4

const linux: readonly Spoken[] = [
  [
    { input: 'uptime', output: ' 09:14:02 up 83 days,  2:51,  1 user,  load average: 0.42, 0.51, 0.47' },
    {
      input: 'df -h /',
      output: 'Filesystem      Size  Used Avail Use% Mounted on\r\n/dev/vda2        79G   61G   15G  81% /',
    },
    {
      input: 'sudo du -sh /var/log/* | sort -h | tail -3',
      output: '412M\t/var/log/nginx\r\n1.1G\t/var/log/audit\r\n2.4G\t/var/log/journal',
    },
    {
      input: 'sudo journalctl --vacuum-size=500M',
      output: 'Vacuuming done, freed 1.9G of archived journals from /var/log/journal.',
    },
    {
      input: 'df -h /',
      output: 'Filesystem      Size  Used Avail Use% Mounted on\r\n/dev/vda2        79G   59G   17G  78% /',
    },
  ],
  [
    {
      input: 'systemctl status nginx',
      output:
        '● nginx.service - A high performance web server\r\n     Active: active (running) since Mon; 3 days ago\r\n   Main PID: 812 (nginx)',
    },
    {
      input: 'tail -n 3 /var/log/nginx/error.log',
      output:
        '[error] upstream timed out (110: Connection timed out) while reading response header\r\n[error] upstream timed out (110: Connection timed out) while connecting to upstream',
    },
    {
      input: 'sudo nginx -t',
      output:
        'nginx: the configuration file /etc/nginx/nginx.conf syntax is ok\r\nnginx: configuration file /etc/nginx/nginx.conf test is successful',
    },
    { input: 'sudo systemctl reload nginx', output: '' },
    { input: 'curl -sI localhost | head -1', output: 'HTTP/1.1 200 OK' },
  ],
  [
    { input: 'cd /srv/releases', output: '' },
    { input: 'ls -t | head -3', output: 'shop-4.2.tar.gz\r\nshop-4.1.tar.gz\r\nshop-4.0.tar.gz' },
    {
      input: 'rm -rf /srv/releases',
      output: 'The command "rm -rf" is refused by the filter "Refuse what destroys".',
      risk: refused,
    },
    { input: 'rm shop-4.0.tar.gz', output: '' },
    {
      input: 'sudo reboot',
      output: 'The command "reboot" was reported by the filter "Warn about what disturbs".',
      risk: warned,
    },
  ],
  [
    {
      input: 'ps aux --sort=-%mem | head -4',
      output:
        'USER  PID %CPU %MEM COMMAND\r\nshop  934 12.4 31.0 node server.js\r\nredis 711  1.2  4.8 redis-server *:6379\r\nroot    1  0.0  0.2 /sbin/init',
    },
    {
      input: 'vmstat 1 2',
      output:
        'procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\r\n 1  0      0 412304  88112 912044    0    0     4    31  210  388  7  2 90  1  0',
    },
    { input: 'sudo systemctl restart shop', output: '' },
    { input: 'systemctl is-active shop', output: 'active' },
  ],
]

const devices: readonly Spoken[] = [
  [
    {
      input: 'show version',
      output: 'Cisco IOS XE Software, Version 17.09.04a\r\ncore-switch uptime is 41 weeks, 2 days',
    },
    {
      input: 'show interfaces status',
      output:
        'Port      Name       Status       Vlan       Duplex  Speed\r\nGi1/0/1   uplink     connected    trunk      a-full  a-1000\r\nGi1/0/2   web-01     connected    20         a-full  a-1000',
    },
    { input: 'configure terminal', output: 'Enter configuration commands, one per line.  End with CNTL/Z.' },
    { input: 'interface Gi1/0/7', output: '' },
    { input: 'description app-12', output: '' },
    { input: 'end', output: '' },
    { input: 'write memory', output: 'Building configuration...\r\n[OK]' },
  ],
]

export const talks: Readonly<Record<string, readonly Spoken[]>> = { hosts: linux, devices }

/** A recording of what was typed and answered, in version 2 of asciicast. @param start Unix milliseconds */
export function recordingOf(talk: Spoken, host: string, start: number): string {
  const prompt = `\u001b[32m${host}\u001b[0m:~$ `
  const lines: string[] = [JSON.stringify({ version: 2, width: 100, height: 30, timestamp: Math.floor(start / 1000) })]
  let at = 0.4
  const show = (text: string, pause: number) => {
    lines.push(JSON.stringify([Number(at.toFixed(3)), 'o', text]))
    at += pause
  }
  show(prompt, 0.9)
  for (const { input, output } of talk) {
    for (const key of input) show(key, 0.07)
    show('\r\n', 0.25)
    if (output) show(`${output}\r\n`, 0.6)
    show(prompt, 1.4)
  }
  show('exit\r\n', 0.2)
  return `${lines.join('\n')}\n`
}
