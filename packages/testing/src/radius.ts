import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requirePart } from './detect.ts'
import { freePort } from './ports.ts'

/** A real FreeRADIUS in a temporary folder, on loopback. */
export interface RadiusServer extends AsyncDisposable {
  readonly port: number
  readonly secret: string
  /** Settings of the category `radius` for this server. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** A user that FreeRADIUS asks for a second answer after the password, and what that is. */
export interface ChallengedUser {
  readonly password: string
  readonly answer: string
}

const secret = 'Radius-shared-secret-1'
const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** Starts FreeRADIUS with these users: passwords by name, and those with a challenge. */
export async function startRadius(
  users: Readonly<Record<string, string>>,
  challenged: Readonly<Record<string, ChallengedUser>> = {},
): Promise<RadiusServer> {
  const program = requirePart('freeradius')
  const folder = mkdtempSync(join(tmpdir(), 'castellan-radius-'))
  const port = await freePort()
  for (const name of ['log', 'run']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'dictionary'), '$INCLUDE /usr/share/freeradius/dictionary\n')
  const passwords = {
    ...users,
    ...Object.fromEntries(Object.entries(challenged).map(([name, { password }]) => [name, password])),
  }
  writeFileSync(
    join(folder, 'users'),
    Object.entries(passwords)
      .map(([name, password]) => `${quoted(name)} Cleartext-Password := ${quoted(password)}\n`)
      .join('\n'),
  )
  const second = Object.entries(challenged).map(
    ([name, { answer }]) => `
        if (&User-Name == ${quoted(name)}) {
          if (&State) {
            update control { &Cleartext-Password := ${quoted(answer)} }
          } else {
            update control { &Auth-Type := Challenge }
          }
        }`,
  )
  writeFileSync(
    join(folder, 'radiusd.conf'),
    `
prefix = /usr
libdir = /usr/lib/freeradius
logdir = ${folder}/log
run_dir = ${folder}/run
pidfile = ${folder}/run/radiusd.pid
name = radiusd
max_request_time = 10
cleanup_delay = 2
log { destination = files
  file = ${folder}/log/radius.log
}
security { reject_delay = 0
}
thread pool { start_servers = 1
  max_servers = 4
  min_spare_servers = 1
  max_spare_servers = 2
}
modules {
  files { filename = ${folder}/users
  }
  pap { }
  expr { }
  always handled { rcode = handled
  }
}
client loopback { ipaddr = 127.0.0.1
  secret = ${secret}
  require_message_authenticator = yes
}
server default {
  listen { type = auth
    ipaddr = 127.0.0.1
    port = ${port}
  }
  authorize {
    # As its releases since July 2024 do without being told.
    update reply { &Message-Authenticator := 0x00 }
    files
    pap${second.join('')}
  }
  authenticate {
    Auth-Type PAP {
      pap
    }
    Auth-Type Challenge {
      pap
      if (ok) {
        update reply {
          &Reply-Message := "Enter the code of your token"
          &State := "%{randstr:aaaaaaaaaaaaaaaa}"
        }
        update control { &Response-Packet-Type := Access-Challenge }
        handled
      }
    }
  }
}
`,
  )
  const server = spawn(program, ['-f', '-d', folder, '-D', folder, '-l', join(folder, 'log', 'radius.log')], {
    stdio: 'pipe',
  })
  let said = ''
  server.stdout.on('data', (data) => {
    said += data
  })
  const radius: RadiusServer = {
    port,
    secret,
    settings: { AUTH_RADIUS: true, RADIUS_SERVER: '127.0.0.1', RADIUS_PORT: port, RADIUS_SECRET: secret },
    async [Symbol.asyncDispose]() {
      if (server.exitCode === null) {
        const ended = new Promise((resolve) => server.once('exit', resolve))
        server.kill()
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
  const log = join(folder, 'log', 'radius.log')
  while (!(existsSync(log) && readFileSync(log, 'utf8').includes('Ready to process requests'))) {
    if (server.exitCode !== null) throw new Error(`freeradius ended with ${server.exitCode}: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return radius
}
