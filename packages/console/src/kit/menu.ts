import type { MenuProps } from 'antd'

/**
 * Enter on a menu item only selects it. An opened dialog is focused before the key event ends and would take the key as
 * a press of its first button.
 */
export const choosesOnly: NonNullable<MenuProps['onClick']> = ({ domEvent }) => domEvent.preventDefault()
