import type { SystemLogin, SystemTarget } from '../accounts/account-system.ts'
import { withCommandRunner } from '../accounts/windows/index.ts'
import { runPowerShell } from '../accounts/windows/powershell.ts'
import {
  appletScript,
  checkScript,
  configScript,
  policiesScript,
  programsScript,
  rolesScript,
  serviceScript,
} from './scripts.ts'

/** How a host is set up. */
export interface HostSetup {
  /** The id by which the agent names the host. */
  host: string
  /** The address of the server, as the host reaches it. */
  core: string
  ignoreCertificates: boolean
  /** Registers the agent, once. */
  token: string
  licensing: boolean
  licenseServer: string
  licensingMode: number
  singleSession: number
  /** Milliseconds. */
  disconnection: number
  /** Milliseconds. */
  logoff: number
}

export type SetupStep = 'check' | 'roles' | 'policies' | 'programs' | 'config' | 'service' | 'applets'

/** Told after each step; `said` is what the host answered. */
export type StepListener = (step: SetupStep, said: string) => Promise<void>

/** The host needs a restart before it can be set up further. */
export class RestartNeeded extends Error {}

/** How long one step may take: roles of Windows take long. Milliseconds. */
const longestStep = 1_800_000

/**
 * Sets up a Windows host for applications, over WinRM or OpenSSH. Doing it again changes nothing that is right already.
 * @throws SystemFailure, RestartNeeded
 */
export function setUpHost(
  target: SystemTarget,
  login: SystemLogin,
  setup: HostSetup,
  done: StepListener,
): Promise<void> {
  const { token, ...values } = setup
  const steps: readonly (readonly [SetupStep, string, string?])[] = [
    ['check', checkScript],
    ['roles', rolesScript],
    ['policies', policiesScript],
    ['programs', programsScript],
    ['config', configScript, token],
    ['service', serviceScript],
    ['applets', appletScript],
  ]
  return withCommandRunner(
    target,
    login,
    async (run) => {
      for (const [step, script, secret] of steps) {
        target.signal.throwIfAborted()
        const said = await runPowerShell(run, script, values, secret)
        if (step === 'roles' && said === 'restart') throw new RestartNeeded('the host has to be restarted')
        await done(step, said)
      }
    },
    longestStep,
  )
}

/** Installs one application on a host that is set up, or all. @throws SystemFailure */
export function installApplet(target: SystemTarget, login: SystemLogin, name: string | undefined): Promise<void> {
  return withCommandRunner(
    target,
    login,
    async (run) => {
      await runPowerShell(run, appletScript, { name: name ?? '' })
    },
    longestStep,
  )
}
