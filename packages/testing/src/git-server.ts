import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newCertificate } from './certificates.ts'
import { requirePart } from './detect.ts'

/** A Git server on this machine: the real one, over https with an authority of its own. */
export interface GitServer {
  /** Address of the repository. */
  url: string
  /** The authority that vouches for it. */
  caFile: string
  /** Runs Git in the folder from which the repository is filled. */
  git(...words: string[]): string
  /** The folder from which the repository is filled; commit and `push` there. */
  folder: string
  /** Commits all that is in the folder, and pushes it. */
  push(): void
  /** Holds the end of the next answer with files, which then are those of before `reached`. */
  holdNext(): { reached: Promise<void>; release(): void }
  stop(): Promise<void>
}

/**
 * Answers requests by Git's own CGI program.
 * @param login whom alone it answers, by basic authentication; everybody by default
 */
export async function startGitServer(login?: { username: string; password: string }): Promise<GitServer> {
  const root = mkdtempSync(join(tmpdir(), 'castellan-git-server-'))
  const bare = join(root, 'site.git')
  const folder = join(root, 'work')
  const program = requirePart('git')
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'protocol.file.allow=always']
  const at = (cwd: string, ...words: string[]) =>
    execFileSync(program, [...identity, ...words], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  at(root, 'init', '--quiet', '--bare', '--initial-branch=main', bare)
  at(root, 'clone', '--quiet', bare, folder)
  const backend = join(at(root, '--exec-path').trim(), 'git-http-backend')
  const certificate = newCertificate()
  let holding: { reached: () => void; released: Promise<void> } | undefined
  const server = createServer({ cert: certificate.certificate, key: certificate.key }, (request, response) => {
    const wanted = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
    if (wanted && request.headers.authorization !== wanted)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const child = spawn(backend, [], {
      env: {
        ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', PATH_INFO: path, QUERY_STRING: query },
        ...{ REQUEST_METHOD: request.method ?? '', CONTENT_TYPE: request.headers['content-type'] ?? '' },
        ...{ HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''), PATH: process.env.PATH ?? '' },
        ...{ HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''), HOME: root },
        ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' },
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    let asked = ''
    request.on('data', (chunk: Buffer) => {
      asked = (asked + chunk.toString('latin1')).slice(0, 200)
    })
    request.pipe(child.stdin)
    child.stdin.on('error', () => undefined)
    let head = Buffer.alloc(0)
    let isBody = false
    child.stdout.on('data', (chunk: Buffer) => {
      if (isBody) return void response.write(chunk)
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      isBody = true
      const lines = head.subarray(0, end).toString().split('\r\n')
      const pairs = lines.map((line) => line.split(/:\s*/, 2) as [string, string])
      const status = pairs.find(([name]) => name === 'Status')?.[1]
      response.writeHead(status ? Number.parseInt(status, 10) : 200, Object.fromEntries(pairs))
      response.write(head.subarray(end + 4))
    })
    child.once('close', async () => {
      if (asked.includes('command=fetch')) {
        const hold = holding
        holding = undefined
        hold?.reached()
        await hold?.released
      }
      response.end()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}/site.git`,
    caFile: certificate.caFile,
    folder,
    git: (...words) => at(folder, ...words),
    push() {
      at(folder, 'add', '--all')
      at(folder, 'commit', '--quiet', '--message', 'state')
      at(folder, 'push', '--quiet', 'origin', 'HEAD:main')
    },
    holdNext() {
      const reached = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      holding = { reached: reached.resolve, released: released.promise }
      return { reached: reached.promise, release: released.resolve }
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      certificate.remove()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
