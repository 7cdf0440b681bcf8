import { outputOf } from '@castellan/connectors/ssh'
import type ssh2 from 'ssh2'
import { unseenCharacters } from '../../../kernel/fields/scalars.ts'

/** Prints `key=value` lines; only what every POSIX system has, and nothing that changes anything. */
const script = `
echo kernel=$(uname -r); echo arch=$(uname -m)
. /etc/os-release 2>/dev/null; echo distribution=$NAME; echo distribution_version=$VERSION_ID
echo vendor=$(cat /sys/class/dmi/id/sys_vendor 2>/dev/null); echo model=$(cat /sys/class/dmi/id/product_name 2>/dev/null)
echo sn=$(cat /sys/class/dmi/id/product_serial 2>/dev/null)
echo cpu_model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
echo cpu_vcpus=$(getconf _NPROCESSORS_ONLN 2>/dev/null)
echo cpu_count=$(sed -n 's/^physical id[^:]*: //p' /proc/cpuinfo 2>/dev/null | sort -u | wc -l)
echo cpu_cores=$(sed -n 's/^cpu cores[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
echo memory_kb=$(sed -n 's/^MemTotal: *\\([0-9]*\\).*/\\1/p' /proc/meminfo 2>/dev/null)
echo disk_kb=$(df -Pkl 2>/dev/null | awk 'NR > 1 && $1 ~ /^\\/dev\\// { sum += $2 } END { print sum }')
`

const lengths: Readonly<Record<string, number>> = {
  vendor: 64,
  model: 54,
  sn: 128,
  cpu_model: 48,
  cpu_count: 64,
  cpu_cores: 64,
  cpu_vcpus: 64,
  distribution: 128,
  distribution_version: 16,
  arch: 16,
  kernel: 128,
}

const gib = (kilobytes: string | undefined) =>
  /^\d{1,15}$/.test(kilobytes ?? '') ? (Number(kilobytes) / 1_048_576).toFixed(2) : ''

/** Facts reported by a POSIX host, cut to the contract's lengths. */
export async function gatherFacts(client: ssh2.Client): Promise<Record<string, string>> {
  const found = new Map<string, string>()
  for (const line of (await outputOf(client, script)).split('\n')) {
    const at = line.indexOf('=')
    if (at > 0) found.set(line.slice(0, at), line.slice(at + 1).trim())
  }
  const facts: Record<string, string> = {}
  for (const [name, length] of Object.entries(lengths)) {
    const value = found.get(name)
    if (value && value !== '0' && !unseenCharacters.test(value)) facts[name] = value.slice(0, length)
  }
  const [kv, disk] = [gib(found.get('memory_kb')), gib(found.get('disk_kb'))]
  if (kv) facts.memory = kv
  if (disk) facts.disk_total = disk
  return facts
}
