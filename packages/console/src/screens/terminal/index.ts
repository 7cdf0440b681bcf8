import { detail, form } from '../../kit/resource.ts'
import { link, type Screen, screen } from '../../kit/screen.ts'

const storages = () => import('./storages.tsx')
const components = () => import('./components.tsx')
const applets = () => import('./applets.tsx')
const endpoints = () => import('./endpoints.tsx')
const replayForm = form(async () => (await storages()).replayForm)
const commandForm = form(async () => (await storages()).commandForm)
const endpointForm = form(async () => (await endpoints()).endpointForm)
const ruleForm = form(async () => (await endpoints()).ruleForm)

export const screens: readonly Screen[] = [
  screen('SessionList', 'sessions', () => import('./sessions.tsx')),
  screen(
    'SessionDetail',
    'sessionDetail',
    detail(async () => (await import('./session-detail.tsx')).detail),
  ),
  screen('CommandList', 'commands', () => import('./commands.tsx')),
  screen('Storage', 'storages', storages),
  screen('CreateReplayStorage', 'storageCreate', replayForm),
  screen('ReplayStorageUpdate', 'storageUpdate', replayForm),
  screen('CreateCommandStorage', 'storageCreate', commandForm),
  screen('CommandStorageUpdate', 'storageUpdate', commandForm),
  screen('TerminalSetting', 'terminalSetting', () => import('./terminal-setting.tsx')),
  screen(
    'TerminalDetail',
    'componentDetail',
    detail(async () => (await components()).detail),
  ),
  screen(
    'TerminalUpdate',
    'componentUpdate',
    form(async () => (await components()).form),
  ),
  screen('EndpointCreate', 'endpointCreate', endpointForm),
  screen('EndpointUpdate', 'endpointUpdate', endpointForm),
  screen('EndpointRuleCreate', 'endpointRuleCreate', ruleForm),
  screen('EndpointRuleUpdate', 'endpointRuleUpdate', ruleForm),
  screen('Applets', 'applets', applets),
  screen(
    'AppletDetail',
    'appletDetail',
    detail(async () => (await applets()).detail),
  ),
  link('WebTerminal', 'webTerminal'),
  link('FileManager', 'fileManager'),
]
