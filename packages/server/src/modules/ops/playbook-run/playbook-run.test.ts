import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { roleIds } from '@castellan/contract/ids'
import type { AnyRow, Client } from '@castellan/testing/client'
import { makeHost } from '@castellan/testing/granted-host'
import { describeWith, itWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

/** Playbooks by the real ansible-playbook, on real SSH servers. Their author is the attacker. */
let server: TestServer
let sshd: RealSshd
let author: Client
let authorId: string
let host: AnyRow
let second: AnyRow
let foreign: AnyRow

const api = '/api/v1/ops/'

interface Execution {
  is_finished: boolean
  is_success: boolean
  summary: { ok: string[]; failures: Record<string, string>; dark: Record<string, string>; error?: string }
}

async function playbook(main: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const { id } = await author.request<{ id: string }>('POST', `${api}playbooks/`, { name: `play ${Math.random()}` })
  const path = `${api}playbook/${id}/file/`
  await author.request('PATCH', path, { key: 'main.yml', content: main })
  for (const [file, content] of Object.entries(files)) {
    const [name = '', folder] = file.split('/').reverse()
    if (folder) await author.request('POST', path, { key: 'root', is_directory: true, name: folder })
    await author.request('POST', path, { key: folder ?? 'root', is_directory: false, name, content })
  }
  return id
}

async function start(id: string, more: object = {}): Promise<string> {
  const { task_id } = await author.request<{ task_id: string }>('POST', `${api}jobs/`, {
    ...{ name: `job ${Math.random()}`, type: 'playbook', playbook: id, assets: [host.id], runas: sshd.username },
    ...{ runas_policy: 'skip', instant: true, is_periodic: false, timeout: -1, ...more },
  })
  return task_id
}

async function ended(id: string) {
  const read = () => author.request<Execution>('GET', `${api}job-executions/${id}/`)
  await expect.poll(async () => (await read()).is_finished, { timeout: 30_000, interval: 100 }).toBe(true)
  const { data: log } = await author.request<{ data: string }>(
    'GET',
    `${api}celery/task/${id}/task-execution/${id}/log/`,
  )
  return { ...(await read()), log }
}
const run = async (main: string, more: object = {}, files = {}) => ended(await start(await playbook(main, files), more))

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const play = (tasks: string) => `- hosts: all\n  gather_facts: false\n  tasks:\n${tasks.replace(/^/gm, '    ')}\n`
const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`castellan-play-${process.pid}-`))

describeWith(['sshd', 'ssh', 'ssh-keygen', 'ansible', 'root', 'mount'], 'a playbook', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    server = await startServer({ worker: true })
    sshd = await startSshd()
    host = await makeHost(server.admin, sshd, 'web one')
    second = await makeHost(server.admin, sshd, '-o ProxyCommand="x" {{ 7*7 }}')
    foreign = await makeHost(server.admin, sshd, 'not granted')
    authorId = await server.person('author', { system: [roleIds.user], org: [roleIds.orgUser] })
    author = await server.as(authorId)
    await server.admin.collection('perms/asset-permissions').create({
      ...{ name: 'granted', users: [authorId], assets: [host.id, second.id], accounts: ['@ALL'] },
      ...{ protocols: ['all'], actions: ['all'] },
    })
  })
  afterAll(async () => {
    await server?.close()
    await sshd?.stop()
  })

  it('runs on every host, with facts, modules, files of its own, variables and states', async () => {
    const result = await run(
      `- hosts: all
  tasks:
    - name: say where
      debug: {msg: "ran as {{ ansible_user_id }} on {{ hostvars[inventory_hostname]['jms_asset.name'] }}"}
    - name: a template
      template: {src: own.j2, dest: "~/template-{{ inventory_hostname | hash('md5') }}"}
    - name: nothing new
      command: "true"
      changed_when: false
`,
      { assets: [host.id, second.id] },
      { 'own.j2': 'made by {{ inventory_hostname }}' },
    )
    expect([result.log, result.is_success]).toEqual([expect.stringContaining('say where'), true])
    expect(result.summary.ok).toHaveLength(2)
    expect(result.log).toContain(`ran as ${sshd.username} on web one`)
    expect(result.log).toContain('changed')
    expect(result.log).toContain('nothing new')
    // The name of an asset is shown, not evaluated.
    expect(result.log).toContain('{{ 7*7 }}')
  })

  const switches = [
    { method: 'sudo', asked: 'from', needs: ['sudo'] },
    { method: 'su', asked: 'into', needs: [] },
  ] as const
  const switched = (name: string, test: (method: string, asked: string) => Promise<void>) => {
    for (const { method, asked, needs } of switches)
      itWith(needs, name.replace('%s', method), () => test(method, asked))
  }

  switched('runs as an account that is switched to by %s, with files and standard input', async (method, asked) => {
    const linux = await server.admin.collection('assets/platforms').create({
      ...{ name: `Linux-by-${method}`, su_enabled: true, su_method: method, category: 'host', type: 'linux' },
      protocols: [{ name: 'ssh', port: 22, primary: true, default: true }],
      automation: { ansible_enabled: true },
    })
    const from = sshd.addAccount({ sudo: method === 'sudo' })
    const into = sshd.addAccount()
    const target = await makeHost(server.admin, sshd, `switched by ${method}`, {
      ...{ platform: linux.id, protocols: [{ name: 'ssh', port: sshd.port }] },
      accounts: [{ name: 'from', username: from.username, secret_type: 'password', secret: from.password }],
    })
    const accounts = server.admin.collection('accounts/accounts')
    const [stored] = await accounts.all({ asset: target.id })
    const secret = method === 'su' ? into.password : 'never asked for'
    const own = { name: 'into', username: into.username, secret_type: 'password', secret }
    const other = await accounts.create({ asset: target.id, ...own, su_from: stored?.id })
    await server.admin.collection('perms/asset-permissions').create({
      ...{ name: `switched by ${method}`, users: [authorId], assets: [target.id], accounts: [into.username] },
      ...{ protocols: ['all'], actions: ['all'] },
    })
    const main = `- hosts: all
  tasks:
    - debug: {msg: "ran as {{ ansible_user_id }} in {{ ansible_env.HOME }}"}
    - copy: {src: own.txt, dest: "~/own.txt"}
    - command: cat
      args: {stdin: "from standard input: é"}
    - command: cat own.txt
      args: {chdir: "~"}
`
    const asInto = { assets: [target.id], runas: into.username }
    const result = await run(main, asInto, { 'own.txt': "line one\n\\ 'two'" })
    expect([result.log, result.is_success]).toEqual([expect.stringContaining(`ran as ${into.username} in /home`), true])
    expect(result.log).toContain('from standard input: é')
    expect(result.log).toContain("\\ 'two'")
    for (const word of [from.password, into.password]) expect(JSON.stringify(result)).not.toContain(word)
    const id = asked === 'from' ? stored?.id : other.id
    await accounts.change(id ?? '', { name: asked, secret: 'not what is asked for' })
    const refused = await run(main, asInto, { 'own.txt': 'x' })
    expect([refused.is_success, JSON.stringify(refused).includes('not what is asked for')]).toEqual([false, false])
  })

  switched('becomes by %s further accounts of a host, where its owner may', async (method) => {
    const platform = await server.admin.collection('assets/platforms').create({
      ...{ name: `Linux-becomes-${method}`, su_enabled: true, su_method: method, category: 'host', type: 'linux' },
      protocols: [{ name: 'ssh', port: 22, primary: true, default: true }],
      automation: { ansible_enabled: true },
    })
    const login = sshd.addAccount({ sudo: method === 'sudo' })
    const [granted, filtered, other] = [sshd.addAccount(), sshd.addAccount(), sshd.addAccount()]
    const all = [login, granted, filtered, other]
    const target = await makeHost(server.admin, sshd, `becomes by ${method}`, {
      ...{ platform: platform.id, protocols: [{ name: 'ssh', port: sshd.port }] },
      accounts: all.map(({ username, password: secret }) => ({
        ...{ name: username, username, secret_type: 'password', secret },
      })),
    })
    await server.admin.collection('perms/asset-permissions').create({
      ...{ name: `becomes by ${method}`, users: [authorId], assets: [target.id], protocols: ['all'], actions: ['all'] },
      accounts: [login.username, granted.username, filtered.username],
    })
    const group = await server.admin
      .collection('acls/command-groups')
      .create({ name: `looked at ${method}`, type: 'command', content: 'shutdown' })
    await server.admin.collection('acls/command-filter-acls').create({
      ...{ name: `looks ${method}`, action: 'reject', command_groups: [group.id], reviewers: [] },
      ...{ users: { type: 'all' }, assets: { type: 'all' }, accounts: [filtered.username] },
    })
    const task = (username: string) => `
- name: as ${all.findIndex((one) => one.username === username)}
  become: true
  become_user: ${JSON.stringify(username)}
  shell: echo "became $(id -un) it's"; cat
  args: {stdin: "by standard input"}
  ignore_errors: true`
    const tasks = [granted.username, filtered.username, other.username, "x'; id #"].map(task).join('')
    const result = await run(play(`- command: id -un${tasks}`), { assets: [target.id], runas: login.username })
    expect([result.log, result.is_success]).toEqual([expect.stringContaining(`became ${granted.username} it's`), true])
    expect(result.log).toContain('by standard input')
    // Neither those with what a filter would look at, nor those that the owner may not use.
    expect(result.log.match(/became /g)).toHaveLength(1)
    for (const { password } of all) expect(JSON.stringify(result)).not.toContain(password)
  })

  it('says which host failed at what, and goes on with the others', async () => {
    const result = await run(
      play(`- name: only one can
  command: test "{{ inventory_hostname }}" = web_one
- name: afterwards
  command: echo went-on`),
      { assets: [host.id, second.id] },
    )
    expect(result.is_success).toBe(false)
    expect(result.summary.ok).toEqual(['web_one'])
    expect(Object.values(result.summary.failures)).toEqual([expect.stringContaining('only one can')])
    expect(result.log).toContain('went-on')
  })

  it('that cannot be read is refused with the words of Ansible', async () => {
    const result = await run(play('- nonsense: 1'))
    expect(result.is_success).toBe(false)
    expect(result.log).toMatch(/nonsense/)
  })

  it('reaches neither files, nor processes, nor networks, nor secrets of the server', async () => {
    writeFileSync(join(server.dataDir, 'marker'), 'a secret of the server')
    const result = await run(
      play(`- name: look around
  delegate_to: localhost
  connection: local
  shell: |
    id -u; grep CapEff /proc/self/status; ls / /proc; cat ${server.dataDir}/marker; cat /proc/1/environ
    env; find / -name 'castellan*' -newer /usr 2>/dev/null | grep -v ^/play | head
    python3 -c "import socket; s=socket.create_connection(('127.0.0.1', ${new URL(server.url).port}), 3); print('connected')"
    python3 -c "import socket; s=socket.create_connection(('${sshd.host}', ${sshd.port}), 3); print('connected')"
    cat /play/inventory.yml /play/vars.yml; ls /play/hosts
    unshare -Ur mount -t tmpfs none /mnt && echo mounted
    exit 0
- name: lookups
  debug: {msg: "{{ lookup('pipe', 'cat ${server.dataDir}/marker || echo not-there') }}"}`),
    )
    expect(result.log).toContain('look around')
    expect(result.log).toContain('CapEff:\t0000000000000000')
    for (const secret of [
      'a secret of the server',
      sshd.privateKey?.slice(40, 80) ?? 'never',
      'connected',
      'DATABASE_URL',
      'mounted',
    ])
      expect([secret, result.log.includes(secret)]).toEqual([secret, false])
    expect(result.log).toContain('not-there')
  })

  it("that writes without a line end to the descriptor of its events is ended, and nobody else's run", async () => {
    const flood = `import os
class FilterModule:
    def filters(self):
        return {'flood': lambda text: [os.write(3, b'x' * 65536) for _ in range(11200)] and text}
`
    const long = await start(await playbook(play('- command: sleep 4')))
    const result = await run(play(`- debug: {msg: "{{ 'x' | flood }}"}`), {}, { 'filter_plugins/flood.py': flood })
    expect([result.is_success, result.log]).toEqual([false, expect.stringContaining('a line of more than')])
    expect((await ended(long)).is_success).toBe(true)
  })

  it('has limits of processes, memory, disk, namespaces and descriptors', async () => {
    const attack = `import ctypes, os, socket, time
libc = ctypes.CDLL(None, use_errno=True)
def tried(name, attempt):
    try: print(name, attempt())
    except BaseException as error: print(name, type(error).__name__)
def fork():
    count = 0
    try:
        while count < 5000:
            if os.fork() == 0:
                time.sleep(2)
                os._exit(0)
            count += 1
    except OSError: pass
    return count < 600
def fill(folder):
    written = 0
    try:
        for number in range(100):
            with open('%s/%d' % (folder, number), 'wb') as file:
                for _ in range(64): written += file.write(bytes(1048576))
    except OSError: pass
    for number in range(100):
        if os.path.exists('%s/%d' % (folder, number)): os.remove('%s/%d' % (folder, number))
    return written < 400 * 1048576
tried('memory', lambda: len(bytearray(3 << 30)))
for folder in ('/play', '/tmp', '/dev/shm', '/play/hosts', '/play/home'): tried(folder, lambda: fill(folder))
tried('outside', lambda: open('/outside', 'wb'))
for name, flags in (('user', 0x10000000), ('mount', 0x20000), ('network', 0x40000000)):
    tried(name, lambda: libc.unshare(flags))
    tried('cloned ' + name, lambda: libc.syscall(56 if os.uname().machine == 'x86_64' else 220, flags | 17, 0, 0, 0, 0))
tried('ptrace', lambda: libc.ptrace(16, 1, 0, 0))
tried('keys', lambda: libc.syscall(250 if os.uname().machine == 'x86_64' else 219, 0, -3, 1, 0, 0))
tried('vsock', lambda: socket.socket(40, 1))
tried('descriptors', lambda: sorted(int(one) for one in os.listdir('/proc/self/fd'))[-1] < 5)
tried('first', lambda: os.kill(1, 9) or True)
tried('first memory', lambda: open('/proc/1/mem', 'wb'))
tried('forks', fork)
`
    const local = '  delegate_to: localhost\n  connection: local'
    const result = await run(
      play(`- name: attack\n  command: python3 attack.py\n${local}\n- name: went-on\n  command: echo still-here`),
      {},
      { 'attack.py': attack },
    )
    const said = Object.fromEntries(
      [...result.log.matchAll(/^ {4}([\w/ ]+) (\S+?)\r?$/gm)].map((one) => [one[1], one[2]]),
    )
    expect([result.log, said]).toEqual([
      expect.stringContaining('still-here'),
      expect.objectContaining({
        ...{ memory: 'MemoryError', '/play': 'True', '/tmp': 'True', '/dev/shm': 'True', '/play/home': 'True' },
        ...{ '/play/hosts': 'True', outside: 'OSError', user: '-1', 'cloned user': '-1', mount: '-1', network: '-1' },
        ...{ 'cloned mount': '-1', 'cloned network': '-1', ptrace: '-1', keys: '-1', vsock: 'PermissionError' },
        ...{ descriptors: 'True', first: 'PermissionError', 'first memory': 'PermissionError', forks: 'True' },
      }),
    ])
    const many = `import os, time
for _ in range(6):
    if os.fork() == 0:
        held = bytearray(700 << 20)
        for at in range(0, len(held), 4096): held[at] = 1
        time.sleep(60)
time.sleep(60)
`
    const together = await run(
      play(`- name: attack\n  command: python3 attack.py\n${local}`),
      {},
      { 'attack.py': many },
    )
    expect([together.is_success, together.log]).toEqual([false, expect.stringContaining('MiB of memory')])
  })

  it('does not begin where a limit cannot be set', async () => {
    const guard = join(import.meta.dirname, 'guard.py')
    // It watches as the first process of its namespace only.
    const outside = await promisify(execFile)('python3', [guard, 'echo', 'it began']).catch((error: unknown) => error)
    expect(outside).toMatchObject({ code: 125, stdout: '', stderr: expect.stringContaining('nothing was run') })
  })

  it('leaves evidence of what it ran and of its files, whatever it says of itself', async () => {
    const forge = `import json, os, signal, subprocess
def forged(text):
    for host in ('h1',):
        for command, sent in (('echo carried-word', b''), ('sh', b'echo from-input')):
            subprocess.run(['ssh', '-F', '/dev/null', '-i', '/play/key', '-o', 'IdentitiesOnly=yes',
                '-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null',
                '-o', 'ProxyCommand=python3 /play/connect.py /play/hosts/' + host, 'anybody@' + host, command], input=sent)
    for host in ('web one', 'web_one'):
        os.write(3, (json.dumps({'host': host, 'task': 'uptime', 'status': 'ok'}) + '\\n').encode())
        os.write(3, (json.dumps({'ended': {host: {'ok': 1, 'failures': 0, 'unreachable': 0}}}) + '\\n').encode())
    for one in os.listdir('/proc'):
        if one.isdigit() and one != '1':
            try: os.kill(int(one), signal.SIGKILL)
            except OSError: pass
class FilterModule:
    def filters(self):
        return {'forged': forged}
`
    const files = { 'filter_plugins/forge.py': forge }
    const id = await start(await playbook(play(`- debug: {msg: "{{ 'x' | forged }}"}`), files))
    const result = await ended(id)
    expect([result.is_success, result.log]).toEqual([false, expect.stringContaining('uptime')])

    interface Evidence {
      files: { path: string; sha256: string; size: number }[]
      commands: Record<string, unknown>[]
    }
    for (const [who, path] of [
      [author, `${api}job-executions/${id}/evidence/`],
      [server.admin, `/api/v1/audits/job-logs/${id}/evidence/`],
    ] as const) {
      const evidence = await who.request<Evidence>('GET', path)
      const input = 'echo from-input'
      const common = { asset: expect.stringContaining('web one'), account: sshd.username, status: 0 }
      const ends = { date_start: expect.any(String), date_end: expect.any(String) }
      expect(evidence.commands).toEqual([
        expect.objectContaining({ ...common, ...ends, command: 'echo carried-word', input_size: 0 }),
        expect.objectContaining({ ...common, ...ends, command: 'sh', input, input_sha256: sha256(input) }),
      ])
      expect(evidence.files.map((file) => [file.path, file.sha256])).toEqual([
        ['filter_plugins/forge.py', sha256(forge)],
        ['main.yml', expect.stringMatching(/^[0-9a-f]{64}$/)],
      ])
      const { content } = await who.request<{ content: string }>('GET', `${path}?path=filter_plugins%2Fforge.py`)
      expect(content).toBe(forge)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        await expect(who.request(method, path, {})).rejects.toMatchObject({ status: 405 })
    }
    const logged = await server.admin.collection('terminal/commands').all({ session_id: id })
    expect(logged.map((one) => one.input)).toEqual(expect.arrayContaining(['echo carried-word', 'sh']))
  })

  it('reaches no host that was not decided for this run', async () => {
    const result = await run(
      play(`- add_host:
    name: another
    ansible_host: h9
    ansible_ssh_common_args: '-o ProxyCommand="python3 /play/connect.py /play/hosts/h9"'
- name: on the other
  delegate_to: another
  command: echo was-there`),
      { assets: [host.id, foreign.id] },
    )
    expect(result.is_success).toBe(false)
    expect(result.log).not.toMatch(/^\s*was-there/m)
    expect(JSON.stringify(result.summary)).toContain('not_granted')
  })

  it('does not run where a command filter would, nor with a word of the blacklist', async () => {
    const group = await server.admin
      .collection('acls/command-groups')
      .create({ name: 'forbidden', type: 'command', content: 'shutdown' })
    const filter = await server.admin.collection('acls/command-filter-acls').create({
      ...{ name: 'reject', action: 'reject', command_groups: [group.id], reviewers: [] },
      ...{ users: { type: 'all' }, assets: { type: 'all' }, accounts: ['@ALL'] },
    })
    const filtered = await run(play('- command: "shut{{ empty | default(\'\') }}down -h now"'))
    await server.admin.collection('acls/command-filter-acls').delete(filter.id)
    expect(filtered.is_success).toBe(false)
    expect(JSON.stringify(filtered)).toMatch(/过滤|filter/)
    expect(filtered.log).not.toContain('rc=')
    const listed = await run(play('- name: by mistake\n  command: /sbin/reboot'))
    expect(listed.summary.error).toContain('reboot')
  })

  it('is stopped with everything that it started, and leaves no folder', async () => {
    // No other run has a program with these words.
    const long = `sleep 300.${process.pid}`
    const id = await start(
      await playbook(play(`- command: ${long}\n- name: local\n  connection: local\n  command: sleep 301`)),
    )
    const programs = async () => (await promisify(execFile)('ps', ['-eo', 'args'])).stdout
    await expect.poll(programs, { timeout: 25_000 }).toMatch(new RegExp(`^${long}$`, 'm'))
    expect(folders().length).toBeGreaterThan(0)
    await author.request('POST', `${api}job-executions/${id}/stop/`, {})
    const result = await ended(id)
    expect(result.is_success).toBe(false)
    const running = async () => (await programs()).match(new RegExp(`castellan-play-${process.pid}-\\w+`, 'g'))
    await expect.poll(running, { timeout: 10_000 }).toBeNull()
    await expect.poll(() => folders(), { timeout: 10_000 }).toEqual([])
  })

  it('keeps within its time', async () => {
    const result = await run(play('- command: sleep 60'), { timeout: 3 })
    expect(result.is_success).toBe(false)
  })

  /** An execution of a playbook with a secret parameter. */
  async function withSecret(tasks: string, token: string) {
    const { id } = await author
      .request<{ id: string }>('POST', `${api}jobs/`, {
        ...{ name: `with a secret ${crypto.randomUUID()}`, type: 'playbook', playbook: await playbook(play(tasks)) },
        ...{
          assets: [host.id],
          runas: sshd.username,
          runas_policy: 'skip',
          instant: false,
          is_periodic: false,
          timeout: -1,
        },
        use_parameter_define: true,
        parameters_define: JSON.stringify({ token: { label: 'Token', type: 'secret', required: true } }),
      })
      .catch((error: unknown) => {
        throw new Error(JSON.stringify((error as { body: unknown }).body))
      })
    const { task_id } = await author.request<{ task_id: string }>('POST', `${api}job-executions/`, {
      job: id,
      parameters: { token },
    })
    const result = await ended(task_id)
    const evidence = JSON.stringify(await author.request('GET', `${api}job-executions/${task_id}/evidence/`))
    return { result, evidence }
  }

  it('takes secret parameters, which no log has', async () => {
    const tasks = '- name: check\n  command: test "{{ token }}" = s3cr3t-value\n  no_log: true'
    const { result, evidence } = await withSecret(tasks, 's3cr3t-value')
    expect([result.log, result.is_success]).toEqual([expect.not.stringContaining('s3cr3t-value'), true])
    expect([evidence.includes('s3cr3t-value'), evidence.includes('******')]).toEqual([false, true])
  })

  it('carries no command that a secret parameter would hide', async () => {
    for (const [task, token] of [
      ['- raw: "{{ token }}"', 'touch /tmp/hidden'],
      ['- raw: "{{ token }}"', 'whoami'],
      ['- raw: echo {{ token }}', 'me; touch /tmp/hidden'],
    ] as const) {
      const { result } = await withSecret(task, token)
      expect([token, result.is_success, result.log]).toEqual([token, false, expect.stringContaining('would hide')])
    }
  })
})
