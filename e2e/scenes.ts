/** States without a URL of their own: dialogs, menus, forms half filled in. */
import { accountScenes } from './scenes/accounts.ts'
import { assetScenes } from './scenes/assets.ts'
import { formScenes } from './scenes/forms.ts'
import { listScenes } from './scenes/lists.ts'
import { sessionScenes } from './scenes/sessions.ts'
import { shellScenes } from './scenes/shell.ts'
import type { Scene } from './scenes/stage.ts'

export { leave, type Scene, Stage } from './scenes/stage.ts'

export const scenes: readonly Scene[] = [
  ...listScenes,
  ...formScenes,
  ...assetScenes,
  ...accountScenes,
  ...shellScenes,
  ...sessionScenes,
]
