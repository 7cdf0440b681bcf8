import { type Gate, isSource, isTest, matches, type Repository } from './gate.ts'

/** Who listens to streams that programs, targets and clients write, and what bounds what is kept of them. */
const bounds: Readonly<Record<string, string>> = {
  'packages/server/src/kernel/untrusted/bounded-lines.ts': 'most',
  'packages/server/src/kernel/http/sent-body.ts': 'hash.update',
  'packages/server/src/kernel/security/outgoing-request.ts': 'longestAnswer',
  'packages/server/src/modules/accounts/vault/vault-client.ts': 'longestAnswer',
  'packages/server/src/modules/cloud/providers/http-client.ts': 'longestAnswer',
  'packages/server/src/modules/notifications/sms/cmpp.ts': 'longestPacket',
  'packages/server/src/modules/ops/tools/tools.ts': '4096',
  'packages/server/src/modules/terminal/storage/put-stream.ts': 'hash.update',
  'packages/gateway/src/brokering/exec.ts': '4096',
  'packages/gateway/src/brokering/scp-copy.ts': 'lineLimit',
  'packages/gateway/src/brokering/switch-user.ts': 'longestKept',
  'packages/gateway/src/brokering/terminal.ts': 'pause()',
  'packages/gateway/src/protocols/sftp/proxy.ts': 'take(data)',
  'packages/gateway/src/protocols/sftp/upstream.ts': 'take(data)',
  'packages/gateway/src/protocols/ssh/connection.ts': 'touch',
  'packages/gateway/src/protocols/ssh/terminal-face.ts': 'this.take',
  'packages/connectors/src/accounts/databases/loopback.ts': 'limit',
  'packages/connectors/src/accounts/databases/target-socket.ts': 'limit',
  'packages/connectors/src/accounts/device/index.ts': 'longestGreeting',
  'packages/connectors/src/accounts/posix/run-script.ts': 'longestOutput',
  'packages/connectors/src/accounts/rdp/index.ts': 'longestMessage',
  'packages/connectors/src/accounts/windows/ssh-runner.ts': 'most',
  'packages/connectors/src/accounts/windows/winrm/http.ts': 'longestAnswer',
  'packages/connectors/src/commands/playbook-host.ts': 'noted.input',
  'packages/connectors/src/commands/ssh.ts': 'longestGreeting',
  'packages/connectors/src/commands/switched-exec.ts': 'longestGreeting',
  'packages/connectors/src/ssh/command.ts': 'limit',
  'packages/ingress/src/accept.ts': 'readGreeting',
  'packages/ingress/src/serve.ts': 'longestLine',
}

/** Who listens to whole messages, and catches what their content makes throw: it would end the program. */
const messages: Readonly<Record<string, string>> = {
  'packages/server/src/kernel/http/sockets.ts': 'catch',
  // Messages between the server and its own thread.
  'packages/server/src/kernel/untrusted/parse-bounded.ts': 'Worker',
  'packages/server/src/kernel/untrusted/parser-thread.ts': 'catch',
  'packages/server/src/modules/authentication/radius/client.ts': 'accept(data)',
  'packages/gateway/src/protocols/terminal/frames.ts': 'catch',
  'packages/gateway/src/server-client/heartbeat.ts': 'catch',
}

const within = /^packages\/(server|gateway|connectors|ingress)\/src\//
const isChecked = (file: string) => within.test(file) && isSource(file) && !isTest(file) && !/\/testing/.test(file)

export const untrustedStreams: Gate = {
  name: 'what programs, targets and clients write is read with a bound',
  run: (repository) => [...unboundedStreams(repository, bounds), ...unguardedMessages(repository, messages)],
}

/** @param known what guards the listening of a file: a word that is in it */
export function unguardedMessages(repository: Repository, known: Readonly<Record<string, string>>): string[] {
  // A listener without a parameter reads nothing.
  const listens = /\.(on|addListener|once)\('message', (?!\(\))/
  return repository.files.filter(isChecked).flatMap((file) => {
    const guard = known[file]
    if (guard !== undefined && repository.read(file).includes(guard)) return []
    return matches(repository, file, listens).map((line) => `${line} ← use hear or hearBrowser, which catch`)
  })
}

/** @param known what bounds the reading of a file: words that are in it; an unnecessary entry is a finding too */
export function unboundedStreams(repository: Repository, known: Readonly<Record<string, string>>): string[] {
  const files = repository.files.filter(isChecked)
  // Lines of any length, and children whose whole output is collected.
  const never = /from 'node:readline|require\('node:readline|\bexecSync\(|\bspawnSync\(|maxBuffer: (Infinity|Number)/
  const listens = /\.(on|addListener)\('(data|readable)'/
  const problems = files.flatMap((file) => {
    const found = matches(repository, file, never).map((line) => `${line} ← use boundedLines of kernel/untrusted`)
    const listening = matches(repository, file, listens)
    const bound = known[file]
    if (listening.length > 0 && bound === undefined)
      found.push(...listening.map((line) => `${line} ← use boundedLines, or name its bound in untrusted-streams.ts`))
    if (bound !== undefined && listening.length > 0 && !repository.read(file).includes(bound))
      found.push(`${file} no longer has its bound ${bound}`)
    if (bound !== undefined && listening.length === 0) found.push(`${file} listens to no stream: remove its entry`)
    return found
  })
  const gone = Object.keys(known).filter((file) => !files.includes(file))
  return [...problems, ...gone.map((file) => `${file} is gone: remove its entry`)]
}
