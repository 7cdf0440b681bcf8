import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import type { KokoPreference, LunaPreference } from '../wire.ts'

const path = '/api/v1/users/preference/'
const queryKey = ['terminal', 'preferences']

/** The user's settings of this application, from two categories of the API. */
export interface TerminalSettings {
  fontSize: number
  themeName: string
  backspaceAsCtrlH: boolean
  rightClickPaste: boolean
  /** Load the tree level by level. */
  lazyTree: boolean
  fileConflict: 'replace' | 'suffix'
}

export const defaultSettings: TerminalSettings = {
  fontSize: 14,
  themeName: 'Default',
  backspaceAsCtrlH: false,
  rightClickPaste: false,
  lazyTree: true,
  fileConflict: 'replace',
}
export const fontSizes = { min: 8, max: 40 }

async function read(): Promise<TerminalSettings> {
  const [luna, koko] = await Promise.all([
    call<LunaPreference>(path, { query: { category: 'luna' }, quiet: true }),
    call<KokoPreference>(path, { query: { category: 'koko' }, quiet: true }),
  ])
  const line = luna.command_line
  return {
    fontSize: Math.min(fontSizes.max, Math.max(fontSizes.min, line.character_terminal_font_size)),
    themeName: koko.basic.terminal_theme_name,
    backspaceAsCtrlH: line.is_backspace_as_ctrl_h,
    rightClickPaste: line.is_right_click_quickly_paste,
    lazyTree: luna.basic.is_async_asset_tree,
    fileConflict: koko.basic.file_name_conflict_resolution,
  }
}

async function write(settings: TerminalSettings): Promise<void> {
  const luna: LunaPreference = {
    basic: { is_async_asset_tree: settings.lazyTree },
    command_line: {
      character_terminal_font_size: settings.fontSize,
      is_backspace_as_ctrl_h: settings.backspaceAsCtrlH,
      is_right_click_quickly_paste: settings.rightClickPaste,
    },
  }
  const koko: KokoPreference = {
    basic: { file_name_conflict_resolution: settings.fileConflict, terminal_theme_name: settings.themeName },
  }
  await call(path, { method: 'PATCH', query: { category: 'luna' }, body: luna })
  await call(path, { method: 'PATCH', query: { category: 'koko' }, body: koko })
}

/** The settings and a function to change them: applied at once, saved in the background. */
export function useTerminalSettings() {
  const client = useQueryClient()
  const { data = defaultSettings } = useQuery({ queryKey, queryFn: read, staleTime: Number.POSITIVE_INFINITY })
  const { mutate } = useMutation({ mutationFn: write, onError: () => client.invalidateQueries({ queryKey }) })
  const change = (some: Partial<TerminalSettings>) => {
    const next = { ...(client.getQueryData<TerminalSettings>(queryKey) ?? data), ...some }
    client.setQueryData(queryKey, next)
    mutate(next)
  }
  return [data, change] as const
}
